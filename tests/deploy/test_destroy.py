"""What `make destroy` leaves, and how the next deployment takes it back."""

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
from stand_ins import Account

sys.path.insert(0, str(ROOT / "scripts" / "deploy"))

from destroy import destroy  # noqa: E402
from release import readable_format  # noqa: E402
from retained import holds, stays  # noqa: E402
from stack import Stack, StackError  # noqa: E402
from taking_back import import_template, take_back  # noqa: E402

TEMPLATE = translated()
DEFAULTS = {name: str(each.get("Default", "")) for name, each in TEMPLATE["Parameters"].items()}
RELEASE = "marquee-releasebucket-1/2026-11-01"
MAIL = {"MailFrom": "Marquee <a@example.com>", "MailIdentity": "example.com"}
PARAMETERS = DEFAULTS | {"Release": RELEASE} | MAIL
STAYS = {
    "AccountsTable": "marquee-accounts",
    "AssetsTable": "marquee-assets",
    "CredentialsTable": "marquee-credentials",
    "ReleaseBucket": "marquee-releasebucket-1",
    "UserPool": "us-east-1_first",
}
GOES = {
    "CampaignsFunction": "marquee-campaigns-1",
    "CampaignsLogGroup": "/marquee/campaigns",
    "HttpApi": "abc123",
    "MeasurementQueue": "https://sqs/marquee",
    "UserPoolDomain": "marquee-12345678",
}


class Deployed(unittest.TestCase):
    """A stack that was deployed, in an account of its own."""

    def setUp(self):
        self.cloud = Cloud()
        self.session = self.cloud.session()
        self.deployed()

    def deployed(self, stays=STAYS, parameters=PARAMETERS, name="marquee"):
        return self.cloud.create(name, TEMPLATE, parameters, stays | GOES)

    def destroy(self, **environment):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            destroy(self.session, Stack(self.session, "marquee"), {"CONFIRM": "marquee"} | environment)
        return said.getvalue()

    def take_back(self, retained="", **given):
        stack = Stack(self.session, "marquee")
        with contextlib.redirect_stdout(io.StringIO()):
            took = take_back(self.session, stack.read(), retained, given)
        self.cloud.calls.clear()
        return stack.read() if took else None

    def resources(self):
        return {name: each[1] for name, each in self.cloud.live("marquee")["resources"].items()}


class Destroying(Deployed):
    def test_says_what_goes_and_what_stays_before_it_asks(self):
        with self.assertRaises(StackError) as refused, contextlib.redirect_stdout(io.StringIO()) as said:
            destroy(self.session, Stack(self.session, "marquee"), {"CONFIRM": "other"})
        self.assertIn("nothing was deleted", str(refused.exception))
        self.assertEqual(self.cloud.calls, [])
        goes, stays_ = said.getvalue().split("Stays, and costs what it costs to store:")
        lost = ("/marquee/campaigns, and its log lines", "marquee-12345678, and the sign-in page's address")
        for text in (*lost, "1 AWS::Lambda::Function"):
            self.assertIn(text, goes)
        for name in STAYS.values():
            self.assertIn(name, stays_)
            self.assertNotIn(f" {name}", goes)
        for text in ("about 1,234 items, 2.5 MB", "about 17 people", "2 data releases, 1.5 MB"):
            self.assertIn(text, stays_)

    def test_deletes_the_stack_and_nothing_that_stays(self):
        self.destroy()
        self.assertEqual(self.cloud.calls, ["DeleteStack"])
        self.assertEqual(set(self.cloud.there), set(STAYS.values()))

    def test_ends_with_the_commands_that_take_it_back_and_that_delete_it_for_good(self):
        said = self.destroy()
        line = next(line for line in said.splitlines() if "RETAINED" in line)
        given = dict(word.split("=", 1) for word in shlex.split(line)[2:])
        self.assertEqual(dict(word.split("=") for word in given["RETAINED"].split()), STAYS)
        self.assertEqual(given["RELEASE"], f"s3://{RELEASE}")
        settings = dict(word.split("=", 1) for word in shlex.split(given["PARAMETERS"]))
        self.assertEqual(settings, MAIL)
        commands = said.split("To delete it for good:")[1]
        for name in STAYS.values():
            self.assertIn(name, commands)
        checked = subprocess.run(["bash", "-n"], input=commands, text=True, capture_output=True)
        self.assertEqual(checked.stderr, "")

    def test_says_the_same_again_when_the_stack_is_gone(self):
        first = self.destroy().split("What it has left:")[1]
        self.assertEqual(self.destroy().split("What it has left:")[1], first)
        self.assertEqual(self.cloud.calls, ["DeleteStack"])

    def test_waits_for_a_name_that_is_typed(self):
        with unittest.mock.patch("builtins.input", side_effect=EOFError):
            with self.assertRaisesRegex(StackError, "CONFIRM=marquee"):
                self.destroy(CONFIRM="")
        with unittest.mock.patch("builtins.input", return_value="marquee"):
            self.destroy(CONFIRM="")
        self.assertEqual(self.cloud.calls, ["DeleteStack"])

    def test_says_so_when_there_is_nothing(self):
        self.cloud.stacks.clear()
        self.assertIn("nor one remembered that has left anything", self.destroy())

    def test_says_what_keeps_the_stack_from_being_deleted(self):
        self.cloud.undeletable = "HttpApi"
        with self.assertRaisesRegex(StackError, "HttpApi: it is in use"):
            self.destroy()

    def test_deletes_a_stack_whose_creation_failed(self):
        self.cloud.stacks[0]["StackStatus"] = "ROLLBACK_COMPLETE"
        self.destroy()
        self.assertEqual(set(self.cloud.there), set(STAYS.values()))


class AsAProgram(unittest.TestCase):
    def test_is_what_make_destroy_runs(self):
        with Account() as account:
            code, said = account.run("destroy")
        self.assertEqual(code, 0, said)
        self.assertIn("no stack marquee in eu-north-1, nor one remembered that has left anything", said)


class TakingBack(Deployed):
    def test_gives_the_new_stack_what_the_old_one_has_left_and_the_parameters_that_it_had(self):
        self.destroy()
        stack = self.take_back()
        self.assertEqual(self.resources(), STAYS)
        self.assertEqual(stack.status, "IMPORT_COMPLETE")
        self.assertEqual(stack.parameters, PARAMETERS)
        self.assertEqual(stack.release, RELEASE)
        self.assertEqual(stack.bucket, STAYS["ReleaseBucket"])

    def test_is_done_as_often_as_the_stack_is_destroyed(self):
        for _ in range(3):
            self.destroy()
            self.take_back()
        self.assertEqual(self.resources(), STAYS)

    def test_leaves_a_stack_alone_that_exists(self):
        self.assertIsNone(self.take_back())
        self.assertIsNone(self.take_back("UserPool=us-east-1_first"))
        with self.assertRaisesRegex(StackError, "exists without us-east-1_other"):
            self.take_back("UserPool=us-east-1_other")

    def test_takes_nothing_where_nothing_was_left(self):
        self.cloud.stacks.clear()
        self.cloud.there.clear()
        self.assertIsNone(self.take_back())

    def test_takes_nothing_of_a_stack_of_another_name(self):
        self.cloud.stacks.clear()
        self.cloud.there.clear()
        other = self.deployed(name="other", parameters=PARAMETERS | {"TablePrefix": "other-"},
                              stays={name: f"other-{physical_id}" for name, physical_id in STAYS.items()})
        self.cloud.DeleteStack(other["StackId"])
        self.assertIsNone(self.take_back())

    def test_leaves_out_what_was_deleted_for_good(self):
        self.destroy()
        del self.cloud.there[STAYS["UserPool"]]
        self.take_back()
        self.assertEqual(self.resources().keys(), STAYS.keys() - {"UserPool"})

    def test_forgets_releases_whose_bucket_was_deleted_for_good(self):
        self.destroy()
        del self.cloud.there[STAYS["ReleaseBucket"]]
        stack = self.take_back()
        self.assertEqual((stack.release, stack.bucket), ("", ""))
        self.assertEqual(stack.parameters["MailFrom"], MAIL["MailFrom"])

    def test_follows_a_creation_that_failed(self):
        self.cloud.stacks[0]["StackStatus"] = "ROLLBACK_COMPLETE"
        with self.assertRaisesRegex(StackError, "Run `make destroy`"):
            self.take_back()
        self.destroy()
        self.take_back()
        self.assertEqual(self.resources(), STAYS)

    def test_leaves_out_what_somebody_had_cloudformation_skip(self):
        self.destroy()
        self.cloud.stacks[0]["resources"]["HttpApi"][2] = "DELETE_SKIPPED"
        self.take_back()
        self.assertEqual(self.resources(), STAYS)

    def test_leaves_out_what_the_last_stack_had_given_up(self):
        self.destroy()
        issuer = {"OidcIssuer": "https://issuer.example", "OidcAudience": "a", "OidcJwksUrl": "https://k"}
        self.deployed({name: STAYS[name] for name in STAYS if name != "UserPool"}, PARAMETERS | issuer)
        self.destroy()
        self.take_back()
        self.assertEqual(self.resources().keys(), STAYS.keys() - {"UserPool"})

    def test_removes_what_a_first_change_set_left_that_was_never_carried_out(self):
        self.destroy()
        self.cloud.create("marquee", TEMPLATE, {}, {})["StackStatus"] = "REVIEW_IN_PROGRESS"
        self.take_back()
        self.assertEqual(self.resources(), STAYS)

    def test_refuses_several_candidates_and_says_how_to_choose(self):
        self.destroy()
        self.deployed(STAYS | {"UserPool": "us-east-1_second"})
        self.destroy()
        with self.assertRaises(StackError) as refused:
            self.take_back()
        self.assertRegex(str(refused.exception), "UserPool: us-east-1_second .* or us-east-1_first")
        self.assertNotIn("marquee-accounts (", str(refused.exception))
        proposed = str(refused.exception).split("RETAINED=")[1]
        self.assertEqual(proposed, "UserPool=us-east-1_second")
        stack = self.take_back(proposed)
        self.assertEqual(self.resources(), STAYS | {"UserPool": "us-east-1_second"})
        self.assertEqual(stack.parameters, PARAMETERS)

    def test_takes_what_is_chosen_of_several_candidates(self):
        self.destroy()
        self.deployed(STAYS | {"UserPool": "us-east-1_second"})
        self.destroy()
        self.take_back("UserPool=us-east-1_first")
        self.assertEqual(self.resources(), STAYS)

    def test_leaves_everything_as_it_was_when_an_import_fails(self):
        self.destroy()
        self.cloud.import_fails = "UserPool"
        with self.assertRaisesRegex(StackError, "UserPool: it belongs to another stack"):
            self.take_back()
        self.cloud.import_fails = None
        self.take_back()
        self.assertEqual(self.resources(), STAYS)

    def test_says_so_when_a_failed_import_can_only_be_deleted(self):
        self.destroy()
        self.cloud.import_fails, self.cloud.failed_status = "UserPool", "ROLLBACK_COMPLETE"
        with self.assertRaisesRegex(StackError, "could not take back what is left"):
            self.take_back()
        self.assertIsNone(Stack(self.session, "marquee").read().status)

    def test_says_why_a_change_set_was_refused(self):
        self.destroy()
        self.cloud.refuses = "there is drift"
        with self.assertRaisesRegex(StackError, "that is as it was: there is drift"):
            self.take_back()
        self.assertIsNone(Stack(self.session, "marquee").read().status)

    def test_says_which_of_those_that_are_named_is_not_there(self):
        self.destroy()
        with self.assertRaisesRegex(StackError, "there is no AWS::Cognito::UserPool us-east-1_wrong"):
            self.take_back("UserPool=us-east-1_wrong")


class DeployingAgain(Deployed):
    """`make deploy` as a whole, but for the programs that it runs."""

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
        """Stands in for `make build` and `sam deploy`."""
        self.cloud.calls.append(" ".join(command[:2]))
        if command[0] == "sam":
            self.given = command[command.index("--parameter-overrides") + 1:]
            self.cloud.live("marquee")["StackStatus"] = "UPDATE_COMPLETE"
        return SimpleNamespace(returncode=2 if command[0] == "make" and self.build_fails else 0)

    def deploy(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.script.deploy(self.session, Stack(self.session, "marquee"), {})
        return said.getvalue()

    def test_takes_back_what_is_left_and_goes_on_with_the_release_and_the_settings_of_before(self):
        said = self.deploy()
        programs = ["make --no-print-directory", "sam deploy", "check"]
        self.assertEqual(self.cloud.calls, ["CreateChangeSet", "ExecuteChangeSet", *programs])
        self.assertEqual(self.given, ('Architecture="arm64"',))
        self.assertIn(f"release:  s3://{RELEASE}", said)

    def test_goes_on_after_it_has_taken_back_what_is_left(self):
        self.build_fails = True
        with self.assertRaises(StackError):
            self.deploy()
        self.build_fails = False
        self.cloud.calls.clear()
        self.deploy()
        self.assertEqual(self.cloud.calls, ["make --no-print-directory", "sam deploy", "check"])
        self.assertEqual(self.resources(), STAYS)


class Forgotten(Deployed):
    """A stack that was deleted so long ago that CloudFormation has forgotten it."""

    def setUp(self):
        super().setUp()
        self.said = self.destroy()
        self.cloud.stacks.clear()

    def test_is_refused_with_the_command_that_takes_it_back(self):
        with self.assertRaises(StackError) as refused:
            self.take_back()
        self.assertIn(
            "make deploy RETAINED='AccountsTable=marquee-accounts CredentialsTable=marquee-credentials "
            "AssetsTable=marquee-assets ReleaseBucket=… UserPool=…'", str(refused.exception))

    def test_asks_for_no_user_pool_where_the_stack_has_none(self):
        with self.assertRaises(StackError) as refused:
            self.take_back(OidcIssuer="https://issuer.example")
        self.assertNotIn("UserPool", str(refused.exception))

    def test_is_no_matter_where_tables_have_other_names(self):
        self.assertIsNone(self.take_back(TablePrefix="new-"))

    def test_is_taken_back_by_the_line_that_destroy_ended_with(self):
        line = self.said.split("RETAINED='")[1].split("'")[0]
        stack = self.take_back(line, **MAIL)
        self.assertEqual(self.resources(), STAYS)
        self.assertEqual(stack.parameters["MailFrom"], MAIL["MailFrom"])

    def test_is_not_taken_back_without_the_tables_that_would_be_in_the_way(self):
        with self.assertRaisesRegex(StackError, "=marquee-assets UserPool=us-east-1_first ReleaseBucket="):
            self.take_back("UserPool=us-east-1_first")

    def test_takes_only_what_the_template_retains(self):
        for wrong in ("HttpApi=abc123", "UserPool", "Nothing=1"):
            with self.assertRaisesRegex(StackError, f"`{wrong}` is not NAME=ID with a NAME of AccountsTable"):
                self.take_back(wrong)


class Template(unittest.TestCase):
    """The template of an import, made of the one that is deployed."""

    def test_stays_are_the_tables_the_bucket_and_the_user_pool(self):
        self.assertEqual({name for name in TEMPLATE["Resources"] if stays(TEMPLATE, name)}, STAYS.keys())

    def test_every_resource_that_stays_is_imported_by_one_identifier(self):
        for name in STAYS:
            self.assertEqual(len(identifiers(TEMPLATE["Resources"][name]["Type"])), 1, name)

    def test_is_complete_in_itself(self):
        template = import_template(TEMPLATE, list(STAYS))
        self.assertEqual(template["Resources"].keys(), STAYS.keys())
        self.assertFalse({"Transform", "Outputs", "Rules", "Globals"} & template.keys())
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(template, file)
            file.flush()
            # W2001, W8001: parameters and conditions that only other resources use.
            lint = pathlib.Path(sys.executable).parent / "cfn-lint"
            options = ["--regions", REGION, "--ignore-checks", "W2001", "W8001", "--", file.name]
            checked = subprocess.run([lint, *options], text=True, capture_output=True)
        self.assertEqual((checked.returncode, checked.stdout), (0, ""), checked.stderr)

    def test_fits_what_a_change_set_takes_as_text(self):
        self.assertLess(len(json.dumps(import_template(TEMPLATE, list(STAYS)))), 51_200)

    def test_has_nothing_that_would_be_deleted_with_the_stack(self):
        with self.assertRaisesRegex(StackError, "HttpApi is not a resource that outlives its stack"):
            import_template(TEMPLATE, ["HttpApi"])

    def test_conditions_hold_as_cloudformation_says(self):
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
