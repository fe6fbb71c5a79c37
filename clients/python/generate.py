#!/usr/bin/env python3
"""Generates the modules of the package that are derived from openapi.yaml: `generate.py`.

`models.py` has a class for each schema, `operations.py` a method for each operation and a pager for each
list, `codes.py` an error class for each error code, and `version.py` the version.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from contract import NUMBERED, Operation, error_codes, load, operations  # noqa: E402

PACKAGE = HERE / "src" / "marquee"
# The service checks values and explains violations, so the models have only members and types.
CHECKS = {
    "default",
    "dependentSchemas",
    "else",
    "example",
    "examples",
    "exclusiveMinimum",
    "if",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "pattern",
    "then",
    "uniqueItems",
}
MODELS = (
    "--input-file-type openapi --openapi-scopes schemas --output-model-type pydantic_v2.BaseModel "
    "--target-python-version 3.10 --base-class marquee.model.Model --enum-field-as-literal all "
    "--use-schema-description --use-field-description --snake-case-field --collapse-root-models "
    "--use-annotated --use-standard-collections --use-union-operator --naming-strategy full-path "
    "--formatters builtin --disable-timestamp"
)


def main():
    contract = load()
    write_models(contract)
    write("operations.py", methods(contract))
    write("codes.py", codes(contract))
    write(
        "version.py",
        f'"""The version of the package and of the API."""\n\nVERSION = "{contract["info"]["version"]}"\n',
    )


def write(name, text):
    (PACKAGE / name).write_text(f"# Generated from openapi.yaml by generate.py.\n{text}")


def write_models(contract):
    found = {}
    for name, schema in contract["components"]["schemas"].items():
        found[name] = simplified(schema, name, found)
    document = {"openapi": "3.1.0", "info": contract["info"], "paths": {}, "components": {"schemas": found}}
    with tempfile.TemporaryDirectory() as folder:
        source, output = pathlib.Path(folder, "schemas.json"), pathlib.Path(folder, "models.py")
        source.write_text(json.dumps(document, default=str))
        generator = pathlib.Path(sys.executable).with_name("datamodel-codegen")
        subprocess.run([generator, *MODELS.split(), "--input", source, "--output", output], check=True)
        write("models.py", output.read_text())


def simplified(schema, name, found, named=False):
    """Returns a schema without its checks. Moves nested titled schemas to `found` as classes."""
    if isinstance(schema, list):
        return [simplified(one, name, found) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if named:
        return {key: simplified(one, name, found) for key, one in schema.items()}
    inherited = schema.get("allOf", [])
    reference = inherited[0]["$ref"] if len(inherited) == 1 else schema.get("$ref")
    if reference:
        return {"$ref": reference, **{key: schema[key] for key in ("description",) if key in schema}}
    kept = {
        key: simplified(one, name, found, key == "properties")
        for key, one in schema.items()
        if key not in CHECKS and key != "title"
    }
    title = schema.get("title", name)
    if title == name or isinstance(title, dict):
        return kept
    found[title] = kept
    return {"$ref": f"#/components/schemas/{title}"}


def codes(contract):
    """Returns an error class per code, such as `NotFound` for `NOT_FOUND`."""
    lines = [
        '"""An error class for each code of the service."""\n',
        "from marquee.errors import ApiError\n\n",
    ]
    names = {code: "".join(word.capitalize() for word in code.split("_")) for code in error_codes(contract)}
    for code, name in names.items():
        lines.append(f'class {name}(ApiError):\n    """The service returned `{code}`."""\n\n')
    table = "".join(f'    "{code}": {name},\n' for code, name in names.items())
    lines.append(f"BY_CODE: dict[str, type[ApiError]] = {{\n{table}}}\n")
    return "\n".join(lines)


def methods(contract):
    """Returns the class with a method per operation, and with the pagers."""
    table, texts = [], []
    for one in operations(contract, Method):
        table.append(f'    "{one.name}": {one.entry()},\n')
        texts += [one.text(), *one.pager()]
    return "\n".join(
        [
            '"""A method for each operation of the API, and a pager for each list."""\n',
            "from collections.abc import Iterator, Mapping\nfrom datetime import date, datetime",
            "from typing import Any, Literal\nfrom uuid import UUID\n",
            "from marquee import models, pages\nfrom marquee.calls import Calls, Operation\n",
            f"OPERATIONS = {{\n{''.join(table)}}}\n\n",
            'class Operations(Calls):\n    """The operations of the API. Each method makes one call."""\n',
            "\n".join(texts),
        ]
    )


class Method(Operation):
    """An operation of the contract, and the code that calls it."""

    def entry(self):
        """Returns the row of the table: how the operation is called, charged, limited, and repeated."""
        listed = ", ".join(f"{name}={value!r}" for name, value in self.facts().items())
        return f'Operation("{self.name}", "{self.method.upper()}", {listed})'

    def text(self):
        """Returns the code of the method."""
        parse, returned = self.reply()
        empty = {204, 304} & set(self.responses) and parse != "nothing"
        sent = {
            where: [one for one in self.parameters if one["in"] == where]
            for where in ("path", "query", "header")
        }
        passed = [
            'OPERATIONS["' + self.name + '"]',
            f"self._{parse}" if parse in ("nothing", "text") else parse,
        ]
        passed += ["body=body"] if self.body else []
        passed += [
            f"{where}={{{', '.join(repr(one['name']) + ': ' + member(one) for one in some)}}}"
            for where, some in sent.items()
            if some
        ]
        call = "_call_unless_empty" if empty else "_call"
        returned += " | None" if empty else ""
        return (
            f"    def {self.name}({self.signature()}) -> {returned}:\n{self.docs()}"
            f"        return self.{call}(\n            {', '.join(passed)}\n        )\n"
        )

    def reply(self):
        """Returns the parser of the response with the lowest status, and the type that it returns."""
        content = self.responses[min(self.responses)].get("content", {})
        if not content:
            return "nothing", "None"
        kind, body = next(iter(content.items()))
        if kind != "application/json":
            return ("bytes", "bytes") if "tile" in kind else ("text", "str")
        schema = body["schema"]
        name = (schema.get("$ref") or schema["allOf"][0]["$ref"]).split("/")[-1]
        return f"models.{name}.model_validate_json", f"models.{name}"

    def signature(self, without=()):
        positional = [f"{member(one)}: {self.type(one)}" for one in self.parameters if one["in"] == "path"]
        optional_body = self.body and not self.resolved({"$ref": f"#/components/schemas/{self.body}"}).get(
            "required"
        )
        if self.body:
            default = " = {}" if optional_body else ""
            positional.append(f"body: models.{self.body} | Mapping[str, Any]{default}")
        others = [one for one in self.parameters if one["in"] != "path" and one["name"] not in without]
        required = [one for one in others if one.get("required") and one["name"] != "Idempotency-Key"]
        named = [f"{member(one)}: {self.type(one)}" for one in required]
        named += [f"{member(one)}: {self.type(one)} | None = None" for one in others if one not in required]
        return ", ".join(["self", *positional, *(["*", *named] if named else [])])

    def type(self, parameter):
        schema = self.resolved(parameter["schema"])
        if "enum" in schema:
            return f"Literal[{', '.join(map(repr, schema['enum']))}]"
        formats = {"uuid": "str | UUID", "date": "str | date", "date-time": "str | datetime"}
        return formats.get(schema.get("format")) or {"integer": "int", "boolean": "bool"}.get(
            schema["type"], "str"
        )

    def docs(self):
        description = self.operation.get("description", "").strip()
        text = f"{self.operation['summary']}.\n\n{description}".replace("\\", "\\\\")
        return textwrap.indent(f'"""{text}\n"""\n', " " * 8, lambda line: line.strip() != "")

    def pager(self):
        """Yields the code of the operation's pagers."""
        name = re.sub("^(list|search|read)_", "iter_", self.name)
        start = (
            f'        """Iterates over the items of all pages of `{self.name}`. Each page is one call."""\n'
        )
        if self.has_cursor():
            item = self.item(self.reply()[1].removeprefix("models."), "data")
            others = [one for one in self.parameters if one["name"] not in ("cursor", "limit")]
            passed = [
                member(one) if one["in"] == "path" else f"{member(one)}={member(one)}" for one in others
            ]
            passed += ["cursor=cursor", "limit=100"]
            yield (
                f"    def {name}({self.signature(('cursor', 'limit'))}) -> Iterator[models.{item}]:\n{start}"
                f"        def read(cursor: str | None) -> {self.reply()[1]}:\n"
                f"            return self.{self.name}({', '.join(passed)})\n\n"
                "        for page in pages.by_cursor(read):\n            yield from page.data\n"
            )
        if self.name in NUMBERED:
            size, reach, rows, total = NUMBERED[self.name]
            reply = self.reply()[1].removeprefix("models.")
            item = self.item(reply, *rows.split("."))
            read_pages = f"pages_of_{name.removeprefix('iter_')}"
            yield (
                f"    def {name}({self.signature()}) -> Iterator[models.{item}]:\n{start}"
                f"        for page in self.{read_pages}(body):\n"
                f"            yield from page.{rows}\n\n"
                f"    def {read_pages}({self.signature()}) -> Iterator[models.{reply}]:\n"
                f'        """Iterates over the pages of `{self.name}`. Each page is one call."""\n'
                f"        return pages.by_number(\n"
                f"            self.{self.name}, body, size={size}, reach={reach},\n"
                f"            rows=lambda page: len(page.{rows}), total=lambda page: page.{total},\n        )\n"
            )

    def item(self, schema, *names):
        """Returns the name of the class of a list's items in a reply."""
        node = self.contract["components"]["schemas"][schema]
        for name in names:
            node = self.resolved(node["properties"][name])
        return node["items"]["$ref"].split("/")[-1]


def member(parameter):
    """Returns the name of a parameter in Python."""
    name = parameter["name"].lower().replace("-", "_")
    return f"{name}_" if name in ("from",) else name


if __name__ == "__main__":
    main()
