"""A stack's next data release, from a local folder or a bucket."""

import json
import os
import pathlib
import re

from botocore.exceptions import ClientError

from stack import StackError

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Not .local/releases, which may contain the administrator's own data.
SAMPLE = ROOT / ".local" / "sample-release"
FORMAT = re.compile(r"^pub const FORMAT: u32 = (\d+);$", re.MULTILINE)


def readable_format():
    """Returns the release format that this checkout's functions read."""
    source = (ROOT / "shared" / "dataset" / "src" / "release" / "manifest.rs").read_text()
    return int(FORMAT.search(source)[1])


def manifest_in_folder(folder):
    """Returns the manifest of the release in a folder."""
    try:
        return json.loads((pathlib.Path(folder) / "manifest.json").read_text())
    except (OSError, ValueError) as error:
        raise StackError(f"RELEASE: no release in {folder}: {error}") from error


def manifest_in_bucket(session, stack, release):
    """Returns the manifest of a published release, where `release` is BUCKET/NAME.

    The bucket must belong to the stack's account, because functions can't read from other accounts' buckets.
    """
    bucket, _, name = release.partition("/")
    owner = {"ExpectedBucketOwner": stack.account} if stack.account else {}
    try:
        answer = session.client("s3").get_object(Bucket=bucket, Key=f"{name}/manifest.json", **owner)
        return json.loads(answer["Body"].read())
    except (ClientError, ValueError) as error:
        raise StackError(f"s3://{release} isn't a readable release: {error}") from error


class Published:
    """A release that is already in a bucket."""

    def __init__(self, session, stack, release):
        check_format(manifest_in_bucket(session, stack, release), f"s3://{release}")
        self.release = release

    def publish(self, _stack, _run):
        return self.release


class Local:
    """A release in a local folder."""

    def __init__(self, folder):
        check_format(manifest_in_folder(folder), folder)
        self.folder = folder

    def publish(self, stack, run):
        """Uploads the objects that aren't in the bucket yet."""
        run.in_account(stack, marquee(), "release", "publish", self.folder, "--bucket", stack.bucket)
        return f"{stack.bucket}/{manifest_in_folder(self.folder)['name']}"


class Sample:
    """The sample release, which is built before it is published."""

    def publish(self, stack, run):
        run.without_credentials(marquee(), "release", "build", "--out", str(SAMPLE))
        return Local(str(SAMPLE / "latest")).publish(stack, run)


def next_release(session, stack, given):
    """Returns the release that a deployment switches to, or None to keep the current one."""
    if given.startswith("s3://"):
        return Published(session, stack, given.removeprefix("s3://").rstrip("/"))
    if given:
        return Local(given)
    if not stack.release:
        return Sample()
    check_format(manifest_in_bucket(session, stack, stack.release), f"s3://{stack.release}")
    return None


def check_format(manifest, where):
    """Raises an error if this version's functions can't read the release, because they wouldn't start."""
    if manifest["format"] != readable_format():
        raise StackError(
            f"the release at {where} has format {manifest['format']}, but this version's functions read "
            f"{readable_format()}: build one with this version (`marquee release build`, with your own "
            "list of sources for your own data), and run `make deploy RELEASE=.local/releases/latest`"
        )


def marquee():
    """Returns the path of the `marquee` program that `make deploy` has built."""
    return os.environ.get("MARQUEE", str(ROOT / "target" / "debug" / "marquee"))
