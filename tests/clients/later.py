"""The responses of a later version of the service, for tests that today's clients accept them."""

METHODS = ("get", "post", "put", "patch", "delete")
VERSION = "9.9.9"
KINDS = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}


def responses(contract):
    """Yields each JSON example of a response with new members, products, codes, values, and a new version."""
    for path, item in contract["paths"].items():
        for method in METHODS:
            for status, answer in item.get(method, {}).get("responses", {}).items():
                content = resolved(contract, answer).get("content", {}).get("application/json", {})
                examples = [resolved(contract, one)["value"] for one in content.get("examples", {}).values()]
                for example in [*examples, *([content["example"]] if "example" in content else [])]:
                    body = later(contract, content["schema"], example)
                    yield {"path": path, "method": method, "operation": item[method]["operationId"],
                           "status": int(status), "body": body}


def later(contract, schema, value):
    """Returns a value with each change that the schema allows in a later version."""
    schema = resolved(contract, schema)
    for one in schema.get("anyOf", schema.get("oneOf", [])):
        if fits(resolved(contract, one), value):
            return later(contract, one, value)
    if "x-extensible-enum" in schema:
        return "new_value" if isinstance(value, str) else value + 1
    if isinstance(value, list):
        return [later(contract, schema["items"], item) for item in value]
    if isinstance(value, dict) and "properties" in schema:
        known = {name: later(contract, schema["properties"][name], member) for name, member in value.items()}
        return {**known, "new_member": {"text": "new"}}
    if isinstance(value, dict):
        return {name: later(contract, schema["additionalProperties"], member) for name, member in value.items()}
    return VERSION if value == contract["info"]["version"] else value


def fits(schema, value):
    """Returns whether an alternative has the value's type and the value has its required members."""
    required = set(schema.get("required", []))
    return isinstance(value, KINDS.get(schema.get("type"), ())) and required <= set(value if required else ())


def resolved(contract, node):
    while "$ref" in node or len(node.get("allOf", [])) == 1:
        found = contract
        for name in (node.get("$ref") or node["allOf"][0]["$ref"]).removeprefix("#/").split("/"):
            found = found[name]
        node = found
    return node
