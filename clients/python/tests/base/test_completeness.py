import json
import os
import pathlib
import re
import unittest
from typing import Any

from marquee import Client, codes, models
from marquee.operations import OPERATIONS
from support import ServiceTest

# The contract, and responses of a later version of the service.
CONTRACT: dict[str, Any] = json.loads(pathlib.Path(os.environ["MARQUEE_CONTRACT"]).read_text())
LATER: list[dict[str, Any]] = json.loads(pathlib.Path(os.environ["MARQUEE_LATER"]).read_text())
LISTED = {
    item[method]["operationId"]: (path, method, item[method])
    for path, item in CONTRACT["paths"].items()
    for method in ("get", "post", "put", "patch", "delete")
    if method in item
}


class Completeness(ServiceTest):
    def test_each_operation_has_a_method(self) -> None:
        self.assertEqual(set(OPERATIONS), set(LISTED))
        for name, (path, method, _) in LISTED.items():
            self.assertTrue(callable(getattr(Client, name, None)), name)
            self.assertEqual((OPERATIONS[name].path, OPERATIONS[name].method), (path, method.upper()))

    def test_each_paged_operation_has_a_pager(self) -> None:
        paged = {name for name, (_, _, operation) in LISTED.items() if self.is_paged(operation)}
        self.assertGreater(len(paged), 6)
        for name in paged:
            self.assertTrue(hasattr(Client, re.sub("^(list|search|read)_", "iter_", name)), name)

    def test_only_operations_without_402_are_free(self) -> None:
        free = {name for name, operation in OPERATIONS.items() if not operation.paid}
        self.assertEqual(
            free, {name for name, (_, _, operation) in LISTED.items() if "402" not in operation["responses"]}
        )

    def test_calls_that_can_be_repeated_without_a_response(self) -> None:
        safe = {name for name, operation in OPERATIONS.items() if operation.is_safe_after_silence}
        changes = {name for name in safe if OPERATIONS[name].method != "GET"}
        self.assertEqual(
            changes,
            {
                "batch_campaigns",
                "batch_events",
                "create_campaign",
                "create_event",
                "buy_campaign_measurement",
                "buy_event_measurement",
                "look_up_displays",
                "search_cohorts",
            },
        )
        paid = {name for name in safe if OPERATIONS[name].paid}
        self.assertEqual(paid, {name for name in changes if OPERATIONS[name].keyed})

    def test_responses_of_a_later_version_are_accepted(self) -> None:
        read = 0
        for case in LATER:
            schema = self.schema(case["operation"], case["status"])
            if case["status"] < 400 and schema in vars(models):
                getattr(models, schema).model_validate_json(json.dumps(case["body"]))
                read += 1
        self.assertGreater(read, 40)

    def is_paged(self, operation: dict[str, Any]) -> bool:
        names = [one.get("$ref", "").split("/")[-1] for one in operation.get("parameters", [])]
        body = (
            operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        )
        schema = CONTRACT["components"]["schemas"].get(body.get("$ref", "").split("/")[-1], {})
        return "Cursor" in names or "pagination" in schema.get("properties", {})

    def schema(self, name: str, status: int) -> str:
        response = LISTED[name][2]["responses"][str(status)]
        if "$ref" in response:
            response = CONTRACT["components"]["responses"][response["$ref"].split("/")[-1]]
        schema = response["content"]["application/json"]["schema"]
        return str(schema.get("$ref", "")).split("/")[-1]


class Codes(unittest.TestCase):
    def test_each_error_code_has_a_class(self) -> None:
        error = CONTRACT["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"]
        self.assertEqual(set(codes.BY_CODE), set(error["x-extensible-enum"]))
