"""Reads the contract, openapi.yaml, for the tests of generated clients."""

import json
import pathlib
from collections.abc import Iterator
from typing import Any

Node = dict[str, Any]
DOCUMENT: Node = json.loads((pathlib.Path(__file__).parent / "generated" / "openapi.json").read_text())
METHODS = ("get", "post", "put", "patch", "delete")


def operations() -> Iterator[Node]:
    """Yields the operations. Their parameters include the parameters of their paths."""
    for path in DOCUMENT["paths"].values():
        for method in METHODS:
            if method in path:
                shared = path.get("parameters", [])
                yield {**path[method], "parameters": shared + path[method].get("parameters", [])}


def resolved(node: Node) -> Node:
    """Resolves a reference, or an `allOf` with a single reference that other members only narrow."""
    inherited = node.get("allOf", [])
    reference = inherited[0].get("$ref") if len(inherited) == 1 else node.get("$ref")
    if reference is None:
        return node
    found = DOCUMENT
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    return resolved(found)


def answers(operation: Node) -> Iterator[tuple[int, Node]]:
    """Yields the status and the content of each response that has a body."""
    for status, answer in operation["responses"].items():
        content = resolved(answer).get("content")
        if content:
            yield int(status), content


def alternatives(schema: Node) -> Iterator[Node]:
    """Yields the alternatives of a schema, each with at most one type."""
    schema = resolved(schema)
    of_several = schema.get("anyOf", []) + schema.get("oneOf", [])
    for one in of_several:
        yield from alternatives(one)
    if of_several:
        return
    kinds = schema.get("type")
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        names = [name for name in schema.get("enum", []) if name is not None and kind != "null"]
        without = {key: value for key, value in schema.items() if key != "enum"}
        yield {**without, "type": kind, **({"enum": names} if names else {})}
