"""`make sam-local-each` runs one event of each function, and tells answers that are right from those that are
not."""

import contextlib
import io
import json
import pathlib
import subprocess
import unittest
from unittest import mock

from cloudformation import ROOT, program

LISTED = json.loads((ROOT / "events" / "one-of-each.json").read_text())


def run(answers, chosen=None):
    """The exit code and what is said when `sam` prints these texts, by function."""
    script, invoked = program("lambda-local"), []

    def invoke(event, asset, output):
        function = pathlib.Path(event).parent.name
        invoked.append(function)
        return subprocess.CompletedProcess(["sam"], 0, stdout=answers(function))

    said = io.StringIO()
    with mock.patch.object(script, "invoke", invoke), contextlib.redirect_stdout(said):
        code = script.each(chosen)
    return code, said.getvalue(), invoked


def right(function):
    return "START RequestId: 1\n" + json.dumps(LISTED[function]["answer"] | {"body": "{}"}) + "\n"


class EachFunction(unittest.TestCase):
    def test_is_invoked_once_and_the_run_succeeds_when_all_answer_as_listed(self):
        code, said, invoked = run(right)
        self.assertEqual((code, sorted(invoked)), (0, sorted(LISTED)))
        self.assertEqual(said.count("as it should be"), len(LISTED))

    def test_fails_the_run_by_another_status_an_error_of_lambda_or_no_answer(self):
        for wrong in ['{"statusCode": 503, "body": ""}', '{"errorType": "Runtime.ExitError"}', "no JSON\n", ""]:
            code, said, _ = run(lambda name: wrong if name == "places" else right(name))
            self.assertEqual(code, 1, wrong)
            self.assertIn('instead of {"statusCode": 200}', said)

    def test_can_be_chosen_alone(self):
        code, _, invoked = run(right, "tiles")
        self.assertEqual((code, invoked), (0, ["tiles"]))


if __name__ == "__main__":
    unittest.main()
