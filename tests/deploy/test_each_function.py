"""Tests that `make sam-local-each` runs one event per function and detects wrong responses."""

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
    """Runs lambda-local with a simulated `sam`. Returns the exit code, output, and invoked functions."""
    script, invoked = program("lambda-local"), []

    def invoke(event, asset, output):
        function = pathlib.Path(event).parent.name
        invoked.append(function)
        return subprocess.CompletedProcess(["sam"], 0, stdout=answers(function))

    printed = io.StringIO()
    with mock.patch.object(script, "invoke", invoke), contextlib.redirect_stdout(printed):
        code = script.each(chosen)
    return code, printed.getvalue(), invoked


def right(function):
    answer = LISTED[function]["answer"]
    if answer:
        answer = answer | {"body": "{}"}
    return f"START RequestId: 1\n{json.dumps(answer)}\n"


class EachFunction(unittest.TestCase):
    def test_runs_once_and_succeeds_with_the_expected_responses(self):
        code, printed, invoked = run(right)
        self.assertEqual((code, sorted(invoked)), (0, sorted(LISTED)))
        self.assertEqual(printed.count("as expected"), len(LISTED))

    def test_another_status_lambda_error_or_missing_response_fails(self):
        expected = {"places": '{"statusCode": 200}', "sweep": "{}", "webhooks": "null"}
        answers = ['{"statusCode": 503, "body": ""}', '{"errorType": "Runtime.ExitError"}', "no JSON\n", ""]
        for function, answer in expected.items():
            for wrong in answers:
                code, printed, _ = run(lambda name: wrong if name == function else right(name))
                self.assertEqual(code, 1, wrong)
                self.assertIn(f"expected {answer}", printed)

    def test_runs_only_the_chosen_function(self):
        code, _, invoked = run(right, "tiles")
        self.assertEqual((code, invoked), (0, ["tiles"]))


if __name__ == "__main__":
    unittest.main()
