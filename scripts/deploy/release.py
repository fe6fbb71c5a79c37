"""Data releases: the one that a stack is to have next, in a folder of this machine or in a bucket."""

import json
import os
import pathlib
import re

from botocore.exceptions import ClientError

from stack import StackError

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Not .local/release, which may hold data of the operator's own.
SAMPLE = ROOT / ".local" / "sample-release"
FORMAT = re.compile(r"^pub const FORMAT: u32 = (\d+);$", re.MULTILINE)


def readable_format():
    """The format of releases that the functions of this checkout read."""
    source = (ROOT / "shared" / "dataset" / "src" / "release" / "manifest.rs").read_text()
    return int(FORMAT.search(source)[1])


def manifest_in_folder(folder):
    """The manifest of a release in a folder."""
    try:
        return json.loads((pathlib.Path(folder) / "manifest.json").read_text())
    except (OSError, ValueError) as error:
        raise StackError(f"RELEASE: there is no release in {folder}: {error}") from error


def manifest_in_bucket(session, release):
    """The manifest of a published release, which `release` names by bucket and name."""
    bucket, _, name = release.partition("/")
    try:
        answer = session.client("s3").get_object(Bucket=bucket, Key=f"{name}/manifest.json")
        return json.loads(answer["Body"].read())
    except (ClientError, ValueError) as error:
        raise StackError(f"s3://{release} is no release that can be read: {error}") from error


class Published:
    """A release that is in a bucket already."""

    def __init__(self, session, release):
        refuse_other_format(manifest_in_bucket(session, release), f"s3://{release}")
        self.release = release

    def publish(self, _bucket, _run):
        return self.release


class Local:
    """A release in a folder of this machine."""

    def __init__(self, folder):
        refuse_other_format(manifest_in_folder(folder), folder)
        self.folder = folder

    def publish(self, bucket, run):
        """Uploads what is not in the bucket yet."""
        run(marquee(), "release", "publish", self.folder, "--bucket", bucket)
        return f"{bucket}/{manifest_in_folder(self.folder)['name']}"


class Sample:
    """The sample release, built where it is first asked for."""

    def publish(self, bucket, run):
        run(marquee(), "release", "build", "--out", str(SAMPLE))
        return Local(str(SAMPLE)).publish(bucket, run)


def next_release(session, stack, given):
    """The release that the stack is to have after a deployment; None for the one that it has."""
    if given.startswith("s3://"):
        return Published(session, given.removeprefix("s3://").rstrip("/"))
    if given:
        return Local(given)
    if not stack.release:
        return Sample()
    refuse_other_format(manifest_in_bucket(session, stack.release), f"s3://{stack.release}")
    return None


def refuse_other_format(manifest, where):
    """Functions that read another format would not start."""
    if manifest["format"] != readable_format():
        raise StackError(
            f"the release at {where} has format {manifest['format']}, and this version's functions read "
            f"{readable_format()}: make one with this version (`marquee release build`, and `marquee release "
            "import` for your own data), and `make deploy RELEASE=.local/release`"
        )


def marquee():
    """The command line, which `make deploy` has built."""
    return os.environ.get("MARQUEE", str(ROOT / "target" / "debug" / "marquee"))
