"""Tests of `make destroy`, and of the next deployment, which imports the retained resources."""

import contextlib
import io
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from types import SimpleNamespace

from cloudformation import REGION, ROOT, Cloud, identifiers, program, translated
from fake_account import Account

sys.path.insert(0, str(ROOT / "scripts" / "deploy"))

from destroy import destroy  # noqa: E402
from release import readable_format  # noqa: E402
from retained import holds, is_retained  # noqa: E402
from stack import Stack, StackError  # noqa: E402
from retained_import import import_template, import_retained  # noqa: E402

TEMPLATE = translated()
DEFAULTS = {name: str(each.get("Default", "")) for name, each in TEMPLATE["Parameters"].items()}
RELEASE = "marquee-releasebucket-1/2026-11-01"
MAIL = {"MailFrom": "Marquee <a@example.com>", "MailIdentity": "example.com"}
PARAMETERS = DEFAULTS | {"Release": RELEASE} | MAIL
RETAINED = {
    "AccountsTable": "marquee-accounts",
    "AssetsTable": "marquee-assets",
    "CredentialsTable": "marquee-credentials",
    "ReleaseBucket": "marquee-releasebucket-1",
    "UserPool": "us-east-1_first",
}
DELETED = {
    "CampaignsFunction": "marquee-campaigns-1",
    "CampaignsLogGroup": "/marquee/campaigns",
    "HttpApi": "abc123",
    "MeasurementQueue": "https://sqs/marquee",
    "UserPoolDomain": "marquee-12345678",
}


class Deployed(unittest.TestCase):
    """The base class for tests that start with a deployed stack in a new account."""

    def setUp(self):
        self.cloud = Cloud()
        self.session = self.cloud.session()
        self.deployed()

    def deployed(self, retained=RETAINED, parameters=PARAMETERS, name="marquee"):
        return self.cloud.create(name, TEMPLATE, parameters, retained | DELETED)

    def destroy(self, **environment):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            destroy(self.session, Stack(self.session, "marquee"), {"CONFIRM": "marquee"} | environment)
        return printed.getvalue()

    def import_retained(self, retained="", **given):
        stack = Stack(self.session, "marquee")
        with contextlib.redirect_stdout(io.StringIO()):
            took = import_retained(self.session, stack.read(), retained, given)
        self.cloud.calls.clear()
        return stack.read() if took else None

    def resources(self):
        return {name: each[1] for name, each in self.cloud.live("marquee")["resources"].items()}


class Destroying(Deployed):
    def test_lists_deleted_and_retained_resources_before_confirmation(self):
        with self.assertRaises(StackError) as refused, contextlib.redirect_stdout(io.StringIO()) as printed:
            destroy(self.session, Stack(self.session, "marquee"), {"CONFIRM": "other"})
        self.assertIn("nothing was deleted", str(refused.exception))
        self.assertEqual(self.cloud.calls, [])
        deleted, retained = printed.getvalue().split("Retained, with storage costs:")
        lost = ("/marquee/campaigns, and its log lines", "marquee-12345678, and the sign-in page's address")
        for text in (*lost, "1 AWS::Lambda::Function"):
            self.assertIn(text, deleted)
        for name in RETAINED.values():
            self.assertIn(name, retained)
            self.assertNotIn(f" {name}", deleted)
        for text in ("about 1,234 items, 2.5 MB", "about 17 people", "2 data releases, 1.5 MB"):
            self.assertIn(text, retained)

    def test_deletes_the_stack_except_retained_resources(self):
        self.destroy()
        self.assertEqual(self.cloud.calls, ["DeleteStack"])
        self.assertEqual(set(self.cloud.there), set(RETAINED.values()))

    def test_prints_the_commands_to_import_or_delete_remaining_resources(self):
        printed = self.destroy()
        line = next(line for line in printed.splitlines() if "RETAINED" in line)
        given = dict(word.split("=", 1) for word in shlex.split(line)[2:])
        self.assertEqual(dict(word.split("=") for word in given["RETAINED"].split()), RETAINED)
        self.assertEqual(given["RELEASE"], f"s3://{RELEASE}")
        settings = dict(word.split("=", 1) for word in shlex.split(given["PARAMETERS"]))
        self.assertEqual(settings, MAIL)
        commands = printed.split("To delete them permanently:")[1]
        for name in RETAINED.values():
            self.assertIn(name, commands)
        checked = subprocess.run(["bash", "-n"], input=commands, text=True, capture_output=True)
        self.assertEqual(checked.stderr, "")

    def test_prints_the_same_again_after_the_stack_is_deleted(self):
        first = self.destroy().split("Remaining resources:")[1]
        self.assertEqual(self.destroy().split("Remaining resources:")[1], first)
        self.assertEqual(self.cloud.calls, ["DeleteStack"])

    def test_requires_typing_the_name(self):
        with unittest.mock.patch("builtins.input", side_effect=EOFError):
            with self.assertRaisesRegex(StackError, "CONFIRM=marquee"):
                self.destroy(CONFIRM="")
        with unittest.mock.patch("builtins.input", return_value="marquee"):
            self.destroy(CONFIRM="")
        self.assertEqual(self.cloud.calls, ["DeleteStack"])

    def test_reports_that_nothing_remains(self):
        self.cloud.stacks.clear()
        self.assertIn("and no remaining resources from a deleted one", self.destroy())

    def test_reports_why_the_stack_cannot_be_deleted(self):
        self.cloud.undeletable = "HttpApi"
        with self.assertRaisesRegex(StackError, "HttpApi: it is in use"):
            self.destroy()

    def test_deletes_a_stack_whose_creation_failed(self):
        self.cloud.stacks[0]["StackStatus"] = "ROLLBACK_COMPLETE"
        self.destroy()
        self.assertEqual(set(self.cloud.there), set(RETAINED.values()))


class DestroyProgram(unittest.TestCase):
    def test_runs_for_make_destroy(self):
        with Account() as account:
            code, printed = account.run("destroy")
        self.assertEqual(code, 0, printed)
        self.assertIn("eu-north-1 has no stack marquee and no remaining resources from a deleted one", printed)


class ImportingRetained(Deployed):
    def test_imports_remaining_resources_and_parameters(self):
        self.destroy()
        stack = self.import_retained()
        self.assertEqual(self.resources(), RETAINED)
        self.assertEqual(stack.status, "IMPORT_COMPLETE")
        self.assertEqual(stack.parameters, PARAMETERS)
        self.assertEqual(stack.release, RELEASE)
        self.assertEqual(stack.bucket, RETAINED["ReleaseBucket"])

    def test_can_be_repeated(self):
        for _ in range(3):
            self.destroy()
            self.import_retained()
        self.assertEqual(self.resources(), RETAINED)

    def test_does_not_change_an_existing_stack(self):
        self.assertIsNone(self.import_retained())
        self.assertIsNone(self.import_retained("UserPool=us-east-1_first"))
        with self.assertRaisesRegex(StackError, "already exists without us-east-1_other"):
            self.import_retained("UserPool=us-east-1_other")

    def test_imports_nothing_if_nothing_remains(self):
        self.cloud.stacks.clear()
        self.cloud.there.clear()
        self.assertIsNone(self.import_retained())

    def test_imports_nothing_from_a_stack_with_another_name(self):
        self.cloud.stacks.clear()
        self.cloud.there.clear()
        retained = {name: f"other-{physical_id}" for name, physical_id in RETAINED.items()}
        parameters = PARAMETERS | {"TablePrefix": "other-"}
        other = self.deployed(name="other", parameters=parameters, retained=retained)
        self.cloud.DeleteStack(other["StackId"])
        self.assertIsNone(self.import_retained())

    def test_skips_permanently_deleted_resources(self):
        self.destroy()
        del self.cloud.there[RETAINED["UserPool"]]
        self.import_retained()
        self.assertEqual(self.resources().keys(), RETAINED.keys() - {"UserPool"})

    def test_drops_releases_of_a_deleted_bucket(self):
        self.destroy()
        del self.cloud.there[RETAINED["ReleaseBucket"]]
        stack = self.import_retained()
        self.assertEqual((stack.release, stack.bucket), ("", ""))
        self.assertEqual(stack.parameters["MailFrom"], MAIL["MailFrom"])

    def test_works_after_a_failed_creation(self):
        self.cloud.stacks[0]["StackStatus"] = "ROLLBACK_COMPLETE"
        with self.assertRaisesRegex(StackError, "Run `make destroy`"):
            self.import_retained()
        self.destroy()
        self.import_retained()
        self.assertEqual(self.resources(), RETAINED)

    def test_skips_resources_that_a_user_retained(self):
        self.destroy()
        self.cloud.stacks[0]["resources"]["HttpApi"][2] = "DELETE_SKIPPED"
        self.import_retained()
        self.assertEqual(self.resources(), RETAINED)

    def test_skips_resources_that_the_last_stack_did_not_have(self):
        self.destroy()
        issuer = {"OidcIssuer": "https://issuer.example", "OidcAudience": "a", "OidcJwksUrl": "https://k"}
        self.deployed({name: RETAINED[name] for name in RETAINED if name != "UserPool"}, PARAMETERS | issuer)
        self.destroy()
        self.import_retained()
        self.assertEqual(self.resources().keys(), RETAINED.keys() - {"UserPool"})

    def test_removes_a_stack_whose_first_change_set_was_never_executed(self):
        self.destroy()
        self.cloud.create("marquee", TEMPLATE, {}, {})["StackStatus"] = "REVIEW_IN_PROGRESS"
        self.import_retained()
        self.assertEqual(self.resources(), RETAINED)

    def test_rejects_several_candidates_with_a_command_to_choose(self):
        self.destroy()
        self.deployed(RETAINED | {"UserPool": "us-east-1_second"})
        self.destroy()
        with self.assertRaises(StackError) as refused:
            self.import_retained()
        self.assertRegex(str(refused.exception), "UserPool: us-east-1_second .* or us-east-1_first")
        self.assertNotIn("marquee-accounts (", str(refused.exception))
        proposed = str(refused.exception).split("RETAINED=")[1]
        self.assertEqual(proposed, "UserPool=us-east-1_second")
        stack = self.import_retained(proposed)
        self.assertEqual(self.resources(), RETAINED | {"UserPool": "us-east-1_second"})
        self.assertEqual(stack.parameters, PARAMETERS)

    def test_imports_the_chosen_candidate(self):
        self.destroy()
        self.deployed(RETAINED | {"UserPool": "us-east-1_second"})
        self.destroy()
        self.import_retained("UserPool=us-east-1_first")
        self.assertEqual(self.resources(), RETAINED)

    def test_failed_import_changes_nothing(self):
        self.destroy()
        self.cloud.import_fails = "UserPool"
        with self.assertRaisesRegex(StackError, "UserPool: it belongs to another stack"):
            self.import_retained()
        self.cloud.import_fails = None
        self.import_retained()
        self.assertEqual(self.resources(), RETAINED)

    def test_reports_a_failed_import_that_can_only_be_deleted(self):
        self.destroy()
        self.cloud.import_fails, self.cloud.failed_status = "UserPool", "ROLLBACK_COMPLETE"
        with self.assertRaisesRegex(StackError, "couldn't import the remaining resources"):
            self.import_retained()
        self.assertIsNone(Stack(self.session, "marquee").read().status)

    def test_reports_why_a_change_set_failed(self):
        self.destroy()
        self.cloud.refuses = "there is drift"
        with self.assertRaisesRegex(StackError, "which are unchanged: there is drift"):
            self.import_retained()
        self.assertIsNone(Stack(self.session, "marquee").read().status)

    def test_names_a_chosen_resource_that_does_not_exist(self):
        self.destroy()
        with self.assertRaisesRegex(StackError, "AWS::Cognito::UserPool us-east-1_wrong doesn't exist"):
            self.import_retained("UserPool=us-east-1_wrong")


class DeployingAgain(Deployed):
    """Tests of `make deploy` without the programs that it runs."""

    def setUp(self):
        super().setUp()
        self.destroy()
        self.cloud.calls.clear()
        self.script = program("deploy/__main__.py")
        self.script.subprocess = SimpleNamespace(run=self.run_program)
        self.script.check = lambda stack: self.cloud.calls.append("check")
        self.build_fails = False
        self.cloud.objects[f"{RELEASE}/manifest.json"] = json.dumps({"format": readable_format()}).encode()

    def run_program(self, command, **_):
        """Records a command instead of running `make build` or `sam deploy`."""
        self.cloud.calls.append(" ".join(command[:2]))
        if command[0] == "sam":
            self.given = command[command.index("--parameter-overrides") + 1:]
            self.cloud.live("marquee")["StackStatus"] = "UPDATE_COMPLETE"
        return SimpleNamespace(returncode=2 if command[0] == "make" and self.build_fails else 0)

    def deploy(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.script.deploy(self.session, Stack(self.session, "marquee"), {})
        return printed.getvalue()

    def test_imports_remaining_resources_and_keeps_release_and_settings(self):
        printed = self.deploy()
        programs = ["make --no-print-directory", "sam deploy", "check"]
        self.assertEqual(self.cloud.calls, ["CreateChangeSet", "ExecuteChangeSet", *programs])
        self.assertEqual(self.given, ('Architecture="arm64"',))
        self.assertIn(f"release:  s3://{RELEASE}", printed)

    def test_continues_after_an_interruption_behind_the_import(self):
        self.build_fails = True
        with self.assertRaises(StackError):
            self.deploy()
        self.build_fails = False
        self.cloud.calls.clear()
        self.deploy()
        self.assertEqual(self.cloud.calls, ["make --no-print-directory", "sam deploy", "check"])
        self.assertEqual(self.resources(), RETAINED)


class Forgotten(Deployed):
    """Tests of a stack that was deleted so long ago that CloudFormation doesn't list it anymore."""

    def setUp(self):
        super().setUp()
        self.printed = self.destroy()
        self.cloud.stacks.clear()

    def test_is_rejected_with_the_import_command(self):
        with self.assertRaises(StackError) as refused:
            self.import_retained()
        self.assertIn(
            "make deploy RETAINED='AccountsTable=marquee-accounts CredentialsTable=marquee-credentials "
            "AssetsTable=marquee-assets ReleaseBucket=… UserPool=…'", str(refused.exception))

    def test_command_omits_the_user_pool_with_another_issuer(self):
        with self.assertRaises(StackError) as refused:
            self.import_retained(OidcIssuer="https://issuer.example")
        self.assertNotIn("UserPool", str(refused.exception))

    def test_is_ignored_if_tables_have_other_names(self):
        self.assertIsNone(self.import_retained(TablePrefix="new-"))

    def test_is_imported_by_the_command_that_destroy_printed(self):
        line = self.printed.split("RETAINED='")[1].split("'")[0]
        stack = self.import_retained(line, **MAIL)
        self.assertEqual(self.resources(), RETAINED)
        self.assertEqual(stack.parameters["MailFrom"], MAIL["MailFrom"])

    def test_is_not_imported_without_conflicting_tables(self):
        with self.assertRaisesRegex(StackError, "=marquee-assets UserPool=us-east-1_first ReleaseBucket="):
            self.import_retained("UserPool=us-east-1_first")

    def test_rejects_resources_that_are_not_retained(self):
        for wrong in ("HttpApi=abc123", "UserPool", "Nothing=1"):
            message = f"`{wrong}` must be NAME=ID, where NAME is one of AccountsTable"
            with self.assertRaisesRegex(StackError, message):
                self.import_retained(wrong)


class Template(unittest.TestCase):
    """Tests of the import template, which is derived from the deployed template."""

    def test_tables_bucket_and_user_pool_are_retained(self):
        retained = {name for name in TEMPLATE["Resources"] if is_retained(TEMPLATE, name)}
        self.assertEqual(retained, RETAINED.keys())

    def test_every_retained_resource_has_one_identifier(self):
        for name in RETAINED:
            self.assertEqual(len(identifiers(TEMPLATE["Resources"][name]["Type"])), 1, name)

    def test_is_self_contained(self):
        template = import_template(TEMPLATE, list(RETAINED))
        self.assertEqual(template["Resources"].keys(), RETAINED.keys())
        self.assertFalse({"Transform", "Outputs", "Rules", "Globals"} & template.keys())
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(template, file)
            file.flush()
            # W2001 and W8001 report parameters and conditions that only other resources use.
            lint = pathlib.Path(sys.executable).parent / "cfn-lint"
            options = ["--regions", REGION, "--ignore-checks", "W2001", "W8001", "--", file.name]
            checked = subprocess.run([lint, *options], text=True, capture_output=True)
        self.assertEqual((checked.returncode, checked.stdout), (0, ""), checked.stderr)

    def test_fits_the_size_limit_of_a_change_set(self):
        self.assertLess(len(json.dumps(import_template(TEMPLATE, list(RETAINED)))), 51_200)

    def test_rejects_resources_that_are_deleted_with_the_stack(self):
        with self.assertRaisesRegex(StackError, "HttpApi isn't retained when its stack is deleted"):
            import_template(TEMPLATE, ["HttpApi"])

    def test_evaluates_conditions_as_cloudformation_does(self):
        conditions = {"Is": {"Fn::Equals": [{"Ref": "A"}, "a"]}, "IsNot": {"Fn::Not": [{"Condition": "Is"}]}}
        cases = [
            ({"Condition": "Is"}, True),
            ({"Condition": "IsNot"}, False),
            ({"Fn::And": [{"Condition": "Is"}, {"Condition": "IsNot"}]}, False),
            ({"Fn::Or": [{"Condition": "Is"}, {"Condition": "IsNot"}]}, True),
        ]
        for condition, expected in cases:
            self.assertIs(holds(condition, conditions, {"A": "a"}), expected, condition)


if __name__ == "__main__":
    unittest.main()
