"""Tests that the generated client has all operations, parameters, responses, and members of the contract."""

import datetime
import importlib
import inspect
import re
import types
import unittest
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import attrs
from openapi_python_client.schema import UntrustedString
from openapi_python_client.strings import PythonIdentifier

from contract import Node, alternatives, answers, operations, resolved
from marquee_client import models
from marquee_client.types import File, Unset

VALUES: dict[str, tuple[Any, ...]] = {
    "string": (str, datetime.date, datetime.datetime, UUID, File),
    "integer": (int,),
    "number": (float,),
    "boolean": (bool,),
    "null": (type(None),),
}
ADDITIONAL = "additional_properties"


def python_name(name: str) -> str:
    return str(PythonIdentifier(value=UntrustedString(name), prefix="field_"))


def module(operation: Node) -> Any:
    return importlib.import_module(f"marquee_client.api.{operation['tags'][0]}.{operation['operationId']}")


def possible(hint: Any) -> set[Any]:
    """Returns the types that a type hint allows."""
    return set(get_args(hint)) if get_origin(hint) in (Union, types.UnionType) else {hint}


class Completeness(unittest.TestCase):
    def setUp(self) -> None:
        self.seen: set[tuple[int, type]] = set()
        self.members = 0

    def test_has_all_operations_and_responses(self) -> None:
        counted = 0
        for operation in operations():
            source = inspect.getsource(module(operation)._parse_response)
            parts = re.split(r"if response\.status_code == (\d+):", source)
            read = {
                int(parts[n])
                for n in range(1, len(parts), 2)
                if re.search(r"response\.(json|text|content)", parts[n + 1])
            }
            expected = {status for status, _ in answers(operation)}
            self.assertLessEqual(expected, read, operation["operationId"])
            counted += len(expected)
        print(f"{len(list(operations()))} operations with {counted} responses that have a body", end=" ")

    def test_has_all_parameters_and_members_with_their_types(self) -> None:
        parameters = 0
        for operation in operations():
            hints = get_type_hints(module(operation).sync_detailed)
            for parameter in map(resolved, operation["parameters"]):
                hint = hints.get(python_name(parameter["name"]))
                self.check(parameter["schema"], hint, f"{operation['operationId']}: {parameter['name']}")
                parameters += 1
            if "requestBody" in operation:
                content = operation["requestBody"]["content"]["application/json"]
                self.check(content["schema"], hints["body"], operation["operationId"])
            [replies] = get_args(hints["return"])
            for status, content in answers(operation):
                schema = next(iter(content.values()))["schema"]
                self.check(schema, replies, f"{operation['operationId']} {status}")
        print(f"{parameters} parameters, {self.members} members of bodies", end=" ")

    def check(self, schema: Node, hint: Any, where: str) -> None:
        """Checks that a type allows each kind of value in a schema, and has all members of its objects."""
        allowed = possible(hint)
        for kind in alternatives(schema):
            if "const" in kind or "enum" in kind:
                named = {name for one in allowed if get_origin(one) is Literal for name in get_args(one)}
                self.assertLessEqual(set(kind.get("enum", [kind.get("const")])), named, where)
            elif kind["type"] == "array":
                of = [get_args(one)[0] for one in allowed if get_origin(one) is list]
                self.assertTrue(of, f"{where} isn't a list")
                self.check(kind["items"], of[0] if len(of) == 1 else Union[tuple(of)], f"{where}[]")
            elif kind["type"] == "object":
                self.check_object(kind, [one for one in allowed if attrs.has(one)], where)
            else:
                values = set(VALUES[kind["type"]])
                self.assertTrue(allowed & values, f"{where} isn't a {kind['type']}: {hint}")

    def check_object(self, schema: Node, classes: list[Any], where: str) -> None:
        """Checks that at least one of the classes has all members of an object."""
        failures = []
        for one in classes:
            try:
                return self.check_class(schema, one, where)
            except AssertionError as failure:
                failures.append(str(failure))
        self.fail("\n".join(failures) or f"{where} isn't an object")

    def check_class(self, schema: Node, one: Any, where: str) -> None:
        members = schema.get("properties", {})
        if (id(members), one) in self.seen:
            return
        hints = get_type_hints(one, localns=vars(models))
        optional = {python_name(name): name not in schema.get("required", []) for name in members}
        has = {name: Unset in possible(hint) for name, hint in hints.items() if name != ADDITIONAL}
        self.assertEqual(has, optional, f"{where}: members of {one}, and whether they are optional")
        for name, member in members.items():
            self.check(member, hints[python_name(name)], f"{where}.{name}")
        if isinstance(schema.get("additionalProperties"), dict):
            self.check(schema["additionalProperties"], get_args(hints[ADDITIONAL])[1], f"{where}.*")
        if members:
            self.seen.add((id(members), one))
            self.members += len(members)
