"""Takes an AWS account to a working stack, and a stack to another data release and back.

  python3 scripts/deploy             what `make deploy` does
  python3 scripts/deploy rollback    what `make rollback` does
  python3 scripts/deploy destroy     what `make destroy` does

docs/decisions/0052-deployment.md says why it works as it does.

All can be repeated after they were interrupted anywhere: what is done already is not done again. The
environment says what the variables of `make` do: STACK, PARAMETERS, RELEASE, ARCHITECTURE, RETAINED and
CONFIRM. Runs in the environment of the tools, for boto3 comes with SAM.
"""

import os
import shlex
import subprocess
import sys

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from destroy import destroy
from functions import check
from release import ROOT, manifest_in_bucket, next_release
from stack import Stack, StackError
from taking_back import take_back

# Parameters that have a variable of their own.
NOT_BY_HAND = {"Architecture": "ARCHITECTURE", "Release": "RELEASE", "PreviousRelease": "RELEASE"}
OF_SAM = str(ROOT / "scripts" / "deploy" / "sam.toml")


class Runner:
    """Runs programs in the project's folder, with the AWS user and the region that this script has."""

    def __init__(self, session):
        self.session = session
        if session.get_credentials() is None:
            raise StackError("no AWS credentials were found; set AWS_PROFILE, or run `aws configure`")

    def __call__(self, *command):
        print(f"+ {shlex.join(command)}", flush=True)
        code = subprocess.run(command, cwd=ROOT, env=self.environment()).returncode
        if code != 0:
            step = " ".join(os.path.basename(word) for word in command[:2])
            raise StackError(f"`{step}` ended with {code}; once that is mended, repeat: it goes on from here")

    def environment(self):
        """The environment, with credentials as they are now: a build may outlive those of a session."""
        keys = self.session.get_credentials().get_frozen_credentials()
        token = {"AWS_SESSION_TOKEN": keys.token} if keys.token else {}
        region = self.session.region_name
        found = {"AWS_ACCESS_KEY_ID": keys.access_key, "AWS_SECRET_ACCESS_KEY": keys.secret_key}
        return {**os.environ, **found, **token, "AWS_REGION": region, "AWS_DEFAULT_REGION": region}


def deploy(session, stack, environment):
    """Builds, makes sure that there is a release, and creates or updates the stack."""
    if (ROOT / "samconfig.toml").exists():
        raise StackError(
            "samconfig.toml is not read any more, for the stack keeps its parameters: delete the file, and "
            "name its stack_name with STACK= and its region with AWS_REGION where they are others"
        )
    run = Runner(session)
    stack.read()
    given = parameters(environment.get("PARAMETERS", ""))
    if take_back(session, stack, environment.get("RETAINED", ""), given):
        stack.read()
    architecture = environment.get("ARCHITECTURE") or stack.parameters.get("Architecture") or "arm64"
    given["Architecture"] = architecture
    is_first = not stack.release
    following = next_release(session, stack, environment.get("RELEASE", ""))
    run("make", "--no-print-directory", "build", f"ARCHITECTURE={architecture}")
    if following is not None and not stack.bucket:
        sam_deploy(run, stack, given)
    switch = stack.switched_to(following.publish(stack.bucket, run)) if following is not None else {}
    sam_deploy(run, stack, given | switch)
    report(stack)
    if is_first:
        print(FIRST_STEPS.format(api=stack.outputs["ApiUrl"], prefix=stack.outputs["TablePrefix"]))


def parameters(text):
    """What PARAMETERS says: names and values as a shell would take them apart."""
    given = {}
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise StackError(f"PARAMETERS: {error}") from error
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise StackError(f"PARAMETERS: `{word}` is not of the form Name=value")
        if name in NOT_BY_HAND:
            raise StackError(f"PARAMETERS: {name} is what `make deploy {NOT_BY_HAND[name]}=…` sets")
        given[name] = value
    return given


def sam_deploy(run, stack, given):
    """Creates or updates the stack from what was built; parameters that are not given keep their values."""
    escaped = {name: value.replace('"', '\\"') for name, value in given.items()}
    quoted = [f'{name}="{value}"' for name, value in escaped.items()]
    named = ["--stack-name", stack.name, "--region", run.session.region_name]
    run("sam", "deploy", "--config-file", OF_SAM, *named, "--parameter-overrides", *quoted)
    stack.read()


def rollback(session, stack, _environment):
    """Makes the previous release the current one, and the current the previous."""
    stack.read()
    current, previous = stack.release, stack.previous_release
    if not previous:
        raise StackError(f"{stack.name} has no previous release to go back to")
    found = manifest_in_bucket(session, previous)["format"]
    expected = format_that_is_read(session, current) or found
    if found != expected:
        raise StackError(
            f"s3://{previous} has format {found}, and the functions read {expected}: check out the version "
            f"that reads it, and `make deploy RELEASE=s3://{previous}`"
        )
    stack.update(stack.switched_to(previous))
    report(stack)


def format_that_is_read(session, release):
    """The format of the current release; None when it is gone, for then there is the more reason to go back."""
    try:
        return manifest_in_bucket(session, release)["format"]
    except StackError:
        return None


def report(stack):
    """Prints what the stack is now, once its functions answer."""
    check(stack)
    print(f"\n{stack.name} is {stack.status}")
    print(f"release:  s3://{stack.release}")
    if stack.previous_release:
        print(f"previous: s3://{stack.previous_release}, to which `make rollback` goes back")
    print(f"portal:   {stack.outputs['PortalPage']}")


FIRST_STEPS = """
Next: an organization, and a key for it.

  curl {api}/health
  cargo run --bin marquee -- org create --tier sandbox --table-prefix {prefix}
  cargo run --bin marquee -- key mint ORG --label first --table-prefix {prefix}

docs/how-to/organizations-and-credits.md describes the next steps."""


def main():
    steps = {"deploy": deploy, "rollback": rollback, "destroy": destroy}
    step = sys.argv[1] if len(sys.argv) > 1 else "deploy"
    if step not in steps or len(sys.argv) > 2:
        sys.exit(__doc__)
    region = os.environ.get("AWS_REGION")
    session = boto3.Session(region_name=region) if region else boto3.Session()
    if not session.region_name:
        sys.exit("no AWS region was found; set AWS_REGION, or AWS_PROFILE to a profile that names one")
    try:
        steps[step](session, Stack(session, os.environ.get("STACK") or "marquee"), os.environ)
    except (StackError, ClientError, BotoCoreError) as error:
        sys.exit(f"make {step}: {error}")


if __name__ == "__main__":
    main()
