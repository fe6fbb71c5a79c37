"""The CloudFormation stack, which stores all state between deployments."""

import time

from botocore.exceptions import ClientError

# The time between reads of a stack that is changing, in seconds.
PAUSE = 3


class StackError(Exception):
    """An error with a message for the administrator."""


class Stack:
    """A stack by name, with its ID, status, parameters, and outputs from the last read."""

    def __init__(self, session, name):
        self.name = name
        self.client = session.client("cloudformation")
        # The ID also identifies the stack after it's deleted.
        self.id = None
        self.status = None
        self.parameters = {}
        self.outputs = {}

    @property
    def exists(self):
        """Whether the stack was created. If its first change set wasn't executed, only its name exists."""
        return self.status not in (None, "REVIEW_IN_PROGRESS", "DELETE_COMPLETE")

    @property
    def release(self):
        """The bucket and name of the release that the functions open, or an empty string."""
        return self.parameters.get("Release", "")

    @property
    def previous_release(self):
        return self.parameters.get("PreviousRelease", "")

    @property
    def account(self):
        """The account that owns the stack, from the stack's ID. None before the stack has an ID."""
        return self.id.split(":")[4] if self.id else None

    @property
    def bucket(self):
        """The bucket for releases. It's the stack's own or, before that exists, the current release's."""
        return self.outputs.get("ReleaseBucketName") or self.release.partition("/")[0]

    def read(self):
        """Waits until no change is in progress, then reads the stack. Raises if it can only be deleted."""
        self.settle()
        if self.status in ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED"):
            raise StackError(
                f"{self.name} is {self.status} and can only be deleted; `aws cloudformation "
                f"describe-stack-events --stack-name {self.name}` shows why. Run `make destroy`, "
                "then deploy again, which imports the retained resources"
            )
        return self

    def settle(self):
        """Waits until no change is in progress, then reads the stack in any status."""
        waits = False
        while self._look().endswith("_IN_PROGRESS") and self.exists:
            if not waits:
                print(f"{self.name} is {self.status}; waiting for it to finish", flush=True)
            waits = True
            time.sleep(PAUSE)

    def switched_to(self, release):
        """Returns the parameters that switch to a release. Empty if the release is already current."""
        return {} if release == self.release else {"Release": release, "PreviousRelease": self.release}

    def update(self, changes):
        """Changes only the given parameters, and waits until the update is complete."""
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
            raise StackError(f"{self.name} is {self.status} and unchanged")

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
