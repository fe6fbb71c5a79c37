"""Tests of `make deploy` and `make rollback`, with the real `marquee` and a simulated AWS account."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from builds import PROGRAM, copy_cache
from fake_account import ACCOUNT, OWN_BUCKET, ROOT, Account

sys.path.append(str(ROOT / "scripts" / "deploy"))
import functions
from release import SAMPLE

ARM = {"Architecture": "arm64"}
# The releases' folders, and all objects in the published releases.
FOLDERS, PUBLISHED = {}, {}
BUILD = ("make", ["--no-print-directory", "build", "ARCHITECTURE=arm64"])
PLACES = """
label = "{label}"
[[places]]
source = "Example"
vintage = 2026-07-01
files = ["places.csv"]
"""


def marquee(*arguments):
    subprocess.run([PROGRAM, "release", *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


def sam(release=None, previous=None, **given):
    """Returns the step that `sam deploy` records for its parameters, including a switch of releases."""
    switch = {} if release is None else {"Release": release, "PreviousRelease": previous}
    return ("sam", ARM | given | switch)


def setUpModule():
    """Builds and publishes two releases with one place: `spring` and `autumn`."""
    folder = pathlib.Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))
    (folder / "places.csv").write_text("place_name,place_type,latitude,longitude\nA,Coffee Shop,40.7,-73.9\n")
    copy_cache(folder)
    with Account() as account:
        account.buckets[OWN_BUCKET] = PUBLISHED
        for label in ("spring", "autumn"):
            sources = folder / f"{label}.toml"
            sources.write_text(PLACES.format(label=label))
            marquee("build", sources, "--out", folder)
            FOLDERS[label] = str((folder / "latest").resolve())
            marquee("publish", FOLDERS[label], "--bucket", OWN_BUCKET, "--endpoint", account.url)


def manifest(name):
    return json.loads((pathlib.Path(FOLDERS[name]) / "manifest.json").read_text())


def full_name(name):
    """Returns a release's full name, which contains its label."""
    return manifest(name)["name"]


class ReleaseTest(unittest.TestCase):
    """The base class for tests with an AWS account, and the names of the releases in the stack's bucket."""

    def setUp(self):
        self.account = self.enterContext(Account())
        self.spring, self.autumn = (f"{OWN_BUCKET}/{full_name(name)}" for name in ("spring", "autumn"))

    def succeeds(self, *arguments, **variables):
        code, printed = self.account.run(*arguments, **variables)
        self.assertEqual(code, 0, printed)
        return printed

    def assert_fails(self, says, *arguments, **variables):
        """Asserts that a step fails with a one-line message and doesn't change the account."""
        before = self.account.stack
        code, printed = self.account.run(*arguments, **variables)
        self.assertEqual(code, 1, printed)
        last = printed.splitlines()[-1]
        step = arguments[0] if arguments else "deploy"
        self.assertTrue(last.startswith(f"make {step}: ") and says in last, printed)
        self.assertNotIn("Traceback", printed)
        self.assertEqual(self.account.stack, before)

    def releases(self):
        return self.account.stack["Release"], self.account.stack["PreviousRelease"]


class NewAccount(ReleaseTest):
    def test_gets_a_stack_then_the_sample_release_then_running_functions(self):
        copy_cache(SAMPLE)
        printed = self.succeeds()
        name = (SAMPLE / "latest").resolve().name
        self.assertTrue(name.startswith("sample-"), name)
        sample = f"{OWN_BUCKET}/{name}"
        self.assertEqual(self.account.take(), [BUILD, sam(), ("publish", sample), sam(sample, "")])
        self.assertEqual(self.releases(), (sample, ""))
        self.assertIn(f"s3://{sample}", printed)
        self.assertIn("https://api.example/portal/", printed)
        self.assertEqual(self.account.asked, {f"/v2{path}" for path in functions.PATHS.values()})
        self.assertIn("key create ORG --label first --table-prefix marquee-", printed)

    def test_gets_the_given_release(self):
        self.succeeds(RELEASE=FOLDERS["autumn"])
        self.assertEqual(self.account.take(), [BUILD, sam(), ("publish", self.autumn), sam(self.autumn, "")])

    def test_continues_after_any_interruption(self):
        for program, failures in [("make", ["no"]), ("sam", ["no"]), ("sam", [None, "no"])]:
            with self.subTest(program=program, failures=failures), Account() as self.account:
                self.account.failing = {program: list(failures)}
                code, printed = self.account.run(RELEASE=FOLDERS["spring"])
                self.assertEqual(code, 1, printed)
                self.assertIn(f"{program}: no\n", printed)
                step = "make --no-print-directory" if program == "make" else "sam deploy"
                self.assertEqual(
                    printed.splitlines()[-1],
                    f"make deploy: `{step}` exited with 1. Fix the cause and run this command again: "
                    "it continues from here",
                )
                self.succeeds(RELEASE=FOLDERS["spring"])
                self.assertEqual(self.account.take()[-1], sam(self.spring, ""))
                self.assertEqual(self.releases(), (self.spring, ""))

    def test_continues_an_interrupted_upload(self):
        self.account.change(ARM)
        last = f"{full_name('spring')}/manifest.json"
        bucket = {key: sent for key, sent in PUBLISHED.items() if key != last}
        self.account.buckets[OWN_BUCKET] = bucket
        self.succeeds(RELEASE=FOLDERS["spring"])
        self.assertEqual(self.account.take(), [BUILD, ("publish", self.spring), sam(self.spring, "")])
        self.assertEqual(bucket[last], PUBLISHED[last])

    def test_gives_credentials_only_to_programs_that_call_aws(self):
        # GitHub sets these in a job with `id-token: write`.
        self.succeeds(RELEASE=FOLDERS["spring"], ACTIONS_ID_TOKEN_REQUEST_URL="https://example.com",
                      ACTIONS_ID_TOKEN_REQUEST_TOKEN="local")
        self.assertEqual(self.account.given["make"], [])
        credentials = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ACCOUNT_ID", "AWS_REGION"}
        self.assertLessEqual(credentials, set(self.account.given["sam"]))

    def test_reports_missing_credentials_region_or_release(self):
        self.assert_fails("no AWS credentials found", AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="")
        code, printed = self.account.run(AWS_REGION="")
        self.assertEqual((code, "no AWS region found" in printed), (1, True), printed)
        self.assert_fails("no release in nowhere", RELEASE="nowhere")
        self.assertEqual(self.account.take(), [])


class ExistingStack(ReleaseTest):
    """Tests of a stack with the release `spring`. Both releases are published."""

    def setUp(self):
        super().setUp()
        self.account.change(ARM | {"Release": self.spring})
        self.account.buckets[OWN_BUCKET] = dict(PUBLISHED)

    def in_autumn(self):
        self.account.change({"Release": self.autumn, "PreviousRelease": self.spring})

    def test_keeps_its_release_by_default(self):
        self.succeeds()
        self.assertEqual(self.account.take(), [BUILD, sam()])
        self.assertEqual(self.releases(), (self.spring, ""))

    def test_gets_code_and_release_in_one_update(self):
        self.account.buckets[OWN_BUCKET] = self.without(full_name("autumn"))
        printed = self.succeeds(RELEASE=FOLDERS["autumn"])
        switched = sam(self.autumn, self.spring)
        self.assertEqual(self.account.take(), [BUILD, ("publish", self.autumn), switched])
        self.assertIn(f"previous: s3://{self.spring}, which `make rollback` returns to", printed)

    def test_reads_releases_only_from_buckets_of_its_account(self):
        self.in_autumn()
        for arguments, variables in [([], {}), ([], {"RELEASE": f"s3://{self.spring}"}), (["rollback"], {})]:
            self.account.owners = set()
            self.succeeds(*arguments, **variables)
            self.assertEqual(self.account.owners, {ACCOUNT}, variables)

    def test_is_not_switched_to_its_current_release(self):
        self.in_autumn()
        for same in (FOLDERS["autumn"], f"s3://{self.autumn}"):
            self.succeeds(RELEASE=same)
            self.assertEqual(self.account.take(), [BUILD, sam()])
        self.assertEqual(self.releases(), (self.autumn, self.spring))

    def test_rollback_alternates_between_two_releases(self):
        self.in_autumn()
        self.account.change({"SelfSignUp": "on"})
        for current, previous in [(self.spring, self.autumn), (self.autumn, self.spring)]:
            self.succeeds("rollback")
            update = {"Release": current, "PreviousRelease": previous}
            self.assertEqual(self.account.take(), [("update", update)])
            self.assertEqual(self.account.stack["SelfSignUp"], "on")

    def test_rejects_rollback_without_a_previous_release(self):
        self.assert_fails("marquee has no previous release", "rollback")

    def test_rejects_rollback_to_a_deleted_release(self):
        self.in_autumn()
        del self.account.buckets[OWN_BUCKET][f"{full_name('spring')}/manifest.json"]
        self.assert_fails(f"s3://{self.spring} isn't a readable release", "rollback")

    def test_rolls_back_from_a_deleted_release(self):
        self.in_autumn()
        del self.account.buckets[OWN_BUCKET][f"{full_name('autumn')}/manifest.json"]
        self.succeeds("rollback")
        self.assertEqual(self.releases(), (self.spring, self.autumn))

    def test_rejects_rollback_to_an_unreadable_format(self):
        self.in_autumn()
        self.in_format(self.spring, 1)
        advice = f"check out a version that reads it, and run `make deploy RELEASE=s3://{self.spring}`"
        self.assert_fails(advice, "rollback")

    def test_accepts_a_published_release(self):
        self.in_autumn()
        self.succeeds(RELEASE=f"s3://{self.spring}/")
        self.assertEqual(self.account.take(), [BUILD, sam(self.spring, self.autumn)])
        self.assert_fails("s3://elsewhere/nothing isn't a readable release", RELEASE="s3://elsewhere/nothing")

    def test_rejects_functions_that_cannot_read_its_release(self):
        self.in_format(self.spring, 1)
        self.assert_fails("has format 1, but this version's functions read", RELEASE="")
        self.assertEqual(self.account.take(), [])
        self.succeeds(RELEASE=f"s3://{self.autumn}")
        self.assertEqual(self.account.take()[-1], sam(self.autumn, self.spring))

    def test_keeps_its_parameters(self):
        sender = "'MailFrom=Marquee \"A\" <in@example.com>'"
        self.succeeds(PARAMETERS=f"SelfSignUp=on {sender} PurchaseNames=a,b")
        given = {"SelfSignUp": "on", "MailFrom": 'Marquee "A" <in@example.com>', "PurchaseNames": "a,b"}
        self.assertEqual(self.account.take(), [BUILD, sam(**given)])
        self.succeeds(PARAMETERS="MailFrom=")
        self.assertEqual(self.account.take(), [BUILD, sam(MailFrom="")])
        self.assertEqual((self.account.stack["SelfSignUp"], self.account.stack["MailFrom"]), ("on", ""))
        self.assert_fails("No closing quotation", PARAMETERS="MailFrom='Marquee")
        self.assert_fails("`SelfSignUp` doesn't have the form Name=value", PARAMETERS="SelfSignUp")
        self.assert_fails("use `make deploy RELEASE=…` to set Release", PARAMETERS="Release=a/b")

    def test_keeps_its_architecture_by_default(self):
        for variables in [{"ARCHITECTURE": "x86_64"}, {}]:
            self.succeeds(**variables)
            built, deployed = self.account.take()
            self.assertEqual(built[1][-1], "ARCHITECTURE=x86_64")
            self.assertEqual(deployed, ("sam", {"Architecture": "x86_64"}))

    def test_is_polled_until_its_functions_respond(self):
        self.account.unanswered = 2
        self.assertIn("marquee is UPDATE_COMPLETE", self.succeeds())
        with unittest.mock.patch.object(functions, "PATIENCE", 0):
            stack = unittest.mock.Mock(status="UPDATE_COMPLETE", outputs={"ApiUrl": f"{self.account.url}/v2"})
            stack.name = "marquee"
            self.account.unanswered = 1000
            with self.assertRaisesRegex(Exception, "its function campaigns doesn't respond .500.: look for"):
                functions.check(stack)

    def test_waits_for_a_change_in_progress(self):
        self.account.looks_in_progress = 1
        self.assertIn("marquee is UPDATE_IN_PROGRESS; waiting for it to finish", self.succeeds())

    def without(self, name):
        return {key: sent for key, sent in PUBLISHED.items() if not key.startswith(f"{name}/")}

    def in_format(self, release, number):
        bucket, _, name = release.partition("/")
        objects, key = self.account.buckets[bucket], f"{name}/manifest.json"
        objects[key] = json.dumps(json.loads(objects[key]) | {"format": number}).encode()


class StackWithoutOwnBucket(ReleaseTest):
    def test_gets_code_and_release_in_one_update_then_publishes_to_its_own_bucket(self):
        self.account.stack = {"TablePrefix": "marquee-", "Architecture": "arm64", "Release": "by-hand/old-1"}
        self.account.buckets = {"by-hand": {"old-1/manifest.json": b'{"format": 1, "name": "old-1"}'}}
        self.assert_fails("has format 1", RELEASE="")
        spring = f"by-hand/{full_name('spring')}"
        self.succeeds(RELEASE=FOLDERS["spring"])
        self.assertEqual(self.account.take(), [BUILD, ("publish", spring), sam(spring, "by-hand/old-1")])
        self.succeeds(RELEASE=FOLDERS["autumn"])
        self.assertEqual(self.account.take(), [BUILD, ("publish", self.autumn), sam(self.autumn, spring)])
        self.succeeds("rollback")
        self.assertEqual(self.releases(), (spring, self.autumn))


class SamConfigFile(unittest.TestCase):
    def test_is_rejected_because_it_would_override_stored_parameters(self):
        path = str(ROOT / "scripts" / "deploy" / "__main__.py")
        module = importlib.util.module_from_spec(importlib.util.spec_from_file_location("deploy", path))
        module.__spec__.loader.exec_module(module)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "samconfig.toml").touch()
            with unittest.mock.patch.object(module, "ROOT", pathlib.Path(folder)):
                with self.assertRaisesRegex(module.StackError, "samconfig.toml is no longer supported"):
                    module.deploy(None, None, {})


class ReadableFormat(ReleaseTest):
    def test_equals_the_format_of_built_releases(self):
        source = (ROOT / "shared" / "dataset" / "src" / "release" / "manifest.rs").read_text()
        self.assertEqual(re.findall(r"FORMAT: u32 = (\d+);", source), [str(manifest("spring")["format"])])


if __name__ == "__main__":
    unittest.main()
