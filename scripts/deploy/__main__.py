"""Deploys Marquee to an AWS account, switches data releases, and deletes the stack.

  python3 scripts/deploy             what `make deploy` does
  python3 scripts/deploy rollback    what `make rollback` does
  python3 scripts/deploy destroy     what `make destroy` does

docs/decisions/0052-deployment.md explains the design.

Each command can be run again after an interruption, and skips completed steps. The environment variables
STACK, PARAMETERS, RELEASE, ARCHITECTURE, RETAINED, and CONFIRM have the same meaning as the variables of
`make`. Runs in the tools' Python environment, which has boto3 because SAM requires it.
"""

import os
import shlex
import subprocess
import sys

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from destroy import destroy
from functions import check
from region import MISSING
from release import ROOT, manifest_in_bucket, next_release
from stack import Stack, StackError
from retained_import import import_retained

# Parameters that have their own variables.
NOT_BY_HAND = {"Architecture": "ARCHITECTURE", "Release": "RELEASE", "PreviousRelease": "RELEASE"}
# Prefixes of variables with AWS credentials, or with credentials for a GitHub job's identity token.
CREDENTIALS = ("AWS_", "ACTIONS_ID_TOKEN_")
OF_SAM = str(ROOT / "scripts" / "deploy" / "sam.toml")


class Runner:
    """Runs programs in the project's folder. Only those that call AWS get credentials."""

    def __init__(self, session):
        self.session = session
        if session.get_credentials() is None:
            raise StackError("no AWS credentials found: set AWS_PROFILE, or run `aws configure`")

    def without_credentials(self, *command):
        """Runs a program that doesn't call AWS, such as a build, which can run its dependencies' code."""
        self._run(command, {name: value for name, value in os.environ.items() if not name.startswith(CREDENTIALS)})

    def in_account(self, stack, *command):
        """Runs a program with AWS credentials, and with the stack's account as the owner of buckets."""
        account = {"AWS_ACCOUNT_ID": stack.account} if stack.account else {}
        self._run(command, self._credentials() | account)

    def _run(self, command, environment):
        print(f"+ {shlex.join(command)}", flush=True)
        code = subprocess.run(command, cwd=ROOT, env=environment).returncode
        if code != 0:
            step = " ".join(os.path.basename(word) for word in command[:2])
            raise StackError(
                f"`{step}` exited with {code}. Fix the cause and run this command again: "
                "it continues from here"
            )

    def _credentials(self):
        """Returns the environment with current credentials, because old ones can expire during a build."""
        keys = self.session.get_credentials().get_frozen_credentials()
        token = {"AWS_SESSION_TOKEN": keys.token} if keys.token else {}
        region = self.session.region_name
        found = {"AWS_ACCESS_KEY_ID": keys.access_key, "AWS_SECRET_ACCESS_KEY": keys.secret_key}
        return {**os.environ, **found, **token, "AWS_REGION": region, "AWS_DEFAULT_REGION": region}


def deploy(session, stack, environment):
    """Builds the functions, publishes a release if necessary, and creates or updates the stack."""
    if (ROOT / "samconfig.toml").exists():
        raise StackError(
            "samconfig.toml is no longer supported, because the stack keeps its parameters: delete the "
            "file, and set STACK to its stack_name and AWS_REGION to its region if they aren't the defaults"
        )
    run = Runner(session)
    stack.read()
    given = parameters(environment.get("PARAMETERS", ""))
    if import_retained(session, stack, environment.get("RETAINED", ""), given):
        stack.read()
    architecture = environment.get("ARCHITECTURE") or stack.parameters.get("Architecture") or "arm64"
    given["Architecture"] = architecture
    is_first = not stack.release
    following = next_release(session, stack, environment.get("RELEASE", ""))
    run.without_credentials("make", "--no-print-directory", "build", f"ARCHITECTURE={architecture}")
    if following is not None and not stack.bucket:
        sam_deploy(run, stack, given)
    switch = stack.switched_to(following.publish(stack, run)) if following is not None else {}
    sam_deploy(run, stack, given | switch)
    report(stack)
    if is_first:
        print(FIRST_STEPS.format(api=stack.outputs["ApiUrl"], prefix=stack.outputs["TablePrefix"]))


def parameters(text):
    """Parses PARAMETERS into names and values, using a shell's quoting rules."""
    given = {}
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise StackError(f"PARAMETERS: {error}") from error
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise StackError(f"PARAMETERS: `{word}` doesn't have the form Name=value")
        if name in NOT_BY_HAND:
            raise StackError(f"PARAMETERS: use `make deploy {NOT_BY_HAND[name]}=…` to set {name}")
        given[name] = value
    return given


def sam_deploy(run, stack, given):
    """Creates or updates the stack from the build. Omitted parameters keep their values."""
    escaped = {name: value.replace('"', '\\"') for name, value in given.items()}
    quoted = [f'{name}="{value}"' for name, value in escaped.items()]
    named = ["--stack-name", stack.name, "--region", run.session.region_name]
    run.in_account(stack, "sam", "deploy", "--config-file", OF_SAM, *named, "--parameter-overrides", *quoted)
    stack.read()


def rollback(session, stack, _environment):
    """Swaps the current and the previous release."""
    stack.read()
    previous = stack.previous_release
    if not previous:
        raise StackError(f"{stack.name} has no previous release")
    found = manifest_in_bucket(session, stack, previous)["format"]
    expected = current_format(session, stack) or found
    if found != expected:
        raise StackError(
            f"s3://{previous} has format {found}, but the functions read {expected}: check out a version "
            f"that reads it, and run `make deploy RELEASE=s3://{previous}`"
        )
    stack.update(stack.switched_to(previous))
    report(stack)


def current_format(session, stack):
    """Returns the current release's format, or None if the release is missing.

    A missing release doesn't prevent a rollback.
    """
    try:
        return manifest_in_bucket(session, stack, stack.release)["format"]
    except StackError:
        return None


def report(stack):
    """Prints the stack's status, releases, and portal, once its functions respond."""
    check(stack)
    print(f"\n{stack.name} is {stack.status}")
    print(f"release:  s3://{stack.release}")
    if stack.previous_release:
        print(f"previous: s3://{stack.previous_release}, which `make rollback` returns to")
    print(f"portal:   {stack.outputs['PortalPage']}")


FIRST_STEPS = """
Next, create an organization and an API key:

  curl {api}/health
  cargo run --bin marquee -- org create --tier sandbox --table-prefix {prefix}
  cargo run --bin marquee -- key create ORG --label first --table-prefix {prefix}

docs/how-to/organizations-and-credits.md describes the next steps."""


def main():
    steps = {"deploy": deploy, "rollback": rollback, "destroy": destroy}
    step = sys.argv[1] if len(sys.argv) > 1 else "deploy"
    if step not in steps or len(sys.argv) > 2:
        sys.exit(__doc__)
    region = os.environ.get("AWS_REGION")
    session = boto3.Session(region_name=region) if region else boto3.Session()
    if not session.region_name:
        sys.exit(MISSING)
    try:
        steps[step](session, Stack(session, os.environ.get("STACK") or "marquee"), os.environ)
    except (StackError, ClientError, BotoCoreError) as error:
        sys.exit(f"make {step}: {error}")


if __name__ == "__main__":
    main()
