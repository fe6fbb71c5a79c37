"""The operations of openapi.yaml, as the packages for Python and TypeScript call them.

Each package's build writes a table with the facts about each operation.
"""

import pathlib

import yaml

CONTRACT = pathlib.Path(__file__).resolve().parents[1] / "openapi.yaml"
METHODS = ("get", "post", "put", "patch", "delete")
READS = ("list_", "look_up_", "read_", "report_", "search_", "summarize_", "estimate_")
# For each operation with numbered pages: the page size of its pager, the position of the last result that the
# service returns (`None` for no limit), and the members of a reply with the results and their total number.
NUMBERED = {
    "search_places": (1000, 10_000, "data.results", "data.pagination.total_results"),
    "search_inventory": (500, 10_000, "results", "total"),
    "read_population_at_home": (5000, None, "results", "pagination.total_results"),
}


def load():
    return yaml.load(CONTRACT.read_text(), yaml.CSafeLoader)


def error_codes(contract):
    error = contract["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"]
    return error["x-extensible-enum"]


class Operation:
    """An operation of the contract."""

    def __init__(self, contract, path, method, item):
        self.contract, self.path, self.method = contract, path, method
        self.operation = item[method]
        self.name = self.operation["operationId"]
        listed = item.get("parameters", []) + self.operation.get("parameters", [])
        self.parameters = [self.resolved(one) for one in listed]
        body = self.operation.get("requestBody", {}).get("content", {}).get("application/json")
        self.body = body and body["schema"]["$ref"].split("/")[-1]
        self.responses = {
            int(status): self.resolved(one) for status, one in self.operation["responses"].items()
        }

    def resolved(self, node):
        while "$ref" in node or len(node.get("allOf", [])) == 1:
            reference = node.get("$ref") or node["allOf"][0]["$ref"]
            node = self.contract
            for name in reference.removeprefix("#/").split("/"):
                node = node[name]
        return node

    def facts(self):
        """Returns how the operation is called, charged, limited, and repeated."""
        limited = self.operation["responses"].get("429", {}).get("$ref", "").split("/")[-1]
        names = {
            "RateLimited": ["minute"],
            "InventoryRateLimited": ["minute"],
            "AccountRateLimited": ["account/minute"],
            "SignUpLimited": ["account/minute"],
        }.get(limited, [])
        names += ["inventory"] if "inventory" in self.operation["tags"] else []
        keys = [name for scheme in self.operation.get("security", []) for name in scheme]
        credential = "apikey" if "apiKey" not in keys and "searchKey" in keys else "X-API-Key"
        return {
            "path": self.path,
            "credential": credential if keys else None,
            "limits": tuple(names),
            "paid": 402 in self.responses,
            "reads": self.name.startswith(READS),
            "keyed": any(one["name"] == "Idempotency-Key" for one in self.parameters),
            # Each operation of a batch has its own idempotency key, so a batch can be repeated.
            "batch": self.path.endswith("/batch"),
        }

    def has_cursor(self):
        """Returns whether a pager can read the pages. The list of changes has a cursor but no last page."""
        has_cursor = any(one["name"] == "cursor" for one in self.parameters)
        return has_cursor and self.name != "list_changes"


def operations(contract, kind=Operation):
    """Yields each operation as a `kind`, which is `Operation` or a subclass."""
    for path, item in contract["paths"].items():
        for method in METHODS:
            if method in item:
                yield kind(contract, path, method, item)
