"""The stack as CloudFormation knows it, which is where everything between two deployments is remembered."""

import time

from botocore.exceptions import ClientError

# Seconds between two looks at a stack that is being changed.
PAUSE = 3


class StackError(Exception):
    """Why nothing can be done with the stack; the text is for the operator."""


class Stack:
    """A stack by its name: its id, status, parameters and outputs as they were when it was last read."""

    def __init__(self, session, name):
        self.name = name
        self.client = session.client("cloudformation")
        # Finds it after it is deleted, too.
        self.id = None
        self.status = None
        self.parameters = {}
        self.outputs = {}

    @property
    def exists(self):
        """Whether it was created; a first change set that was never carried out leaves a name alone."""
        return self.status not in (None, "REVIEW_IN_PROGRESS", "DELETE_COMPLETE")

    @property
    def release(self):
        """Bucket and name of the release that its functions open; empty when there is none."""
        return self.parameters.get("Release", "")

    @property
    def previous_release(self):
        return self.parameters.get("PreviousRelease", "")

    @property
    def bucket(self):
        """Where releases are published: its own bucket or, before it has one, that of its release."""
        return self.outputs.get("ReleaseBucketName") or self.release.partition("/")[0]

    def read(self):
        """Reads it once nothing changes it any more, whoever began the change."""
        self.settle()
        if self.status in ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED"):
            raise StackError(
                f"{self.name} is {self.status} and can only be deleted; `aws cloudformation "
                f"describe-stack-events --stack-name {self.name}` says why. Run `make destroy`, then "
                "deploy again: what it leaves is taken back"
            )
        return self

    def settle(self):
        """Reads it once nothing changes it any more, and whatever has become of it."""
        waits = False
        while self._look().endswith("_IN_PROGRESS") and self.exists:
            if not waits:
                print(f"{self.name} is {self.status}; waiting for its end", flush=True)
            waits = True
            time.sleep(PAUSE)

    def switched_to(self, release):
        """The parameters that make a release the current one; none when it is already."""
        return {} if release == self.release else {"Release": release, "PreviousRelease": self.release}

    def update(self, changes):
        """Changes parameters and nothing else, and waits until that is done."""
        others = self.parameters.keys() - changes.keys()
        kept = [{"ParameterKey": name, "UsePreviousValue": True} for name in sorted(others)]
        changed = [{"ParameterKey": name, "ParameterValue": value} for name, value in changes.items()]
        self.client.update_stack(
            StackName=self.name,
            UsePreviousTemplate=True,
            Parameters=kept + changed,
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        )
        self.read()
        if any(self.parameters.get(name) != value for name, value in changes.items()):
            raise StackError(f"{self.name} is {self.status}, and as it was before")

    def _look(self):
        try:
            described = self.client.describe_stacks(StackName=self.name)["Stacks"][0]
        except ClientError as error:
            if "does not exist" not in str(error):
                raise
            described = {"StackStatus": ""}
        self.id = described.get("StackId")
        self.status = described["StackStatus"] or None
        parameters, outputs = described.get("Parameters", []), described.get("Outputs", [])
        self.parameters = {one["ParameterKey"]: one["ParameterValue"] for one in parameters}
        self.outputs = {one["OutputKey"]: one["OutputValue"] for one in outputs}
        return described["StackStatus"]
