"""Adds credentials to Schemathesis's calls, and rules that a JSON schema can't express.

See docs/decisions/0057-contract-tests.md.
"""

import atexit
import itertools
import json
import os
import pathlib
import re
import time
from collections import Counter, defaultdict

import rules
import schemathesis
from schemathesis.core.media_types import YAML_MEDIA_TYPES
from schemathesis.openapi.checks import RejectedPositiveData

GIVEN = json.loads(pathlib.Path(os.environ["MARQUEE_CALLERS"]).read_text())
COUNTS = pathlib.Path(os.environ["MARQUEE_COUNTS"])
ON_SEARCH_GATEWAY = os.environ.get("MARQUEE_SEARCH_GATEWAY") == "1"
HEADERS = {"apiKey": "X-API-Key", "searchKey": "apikey", "bearer": "Authorization"}
IDS = ("asset_id", "grant_id", "key_id", "member_id", "invitation_id", "webhook_id", "delivery_id")
# When a caller has only this number of calls left, another caller takes over until the next minute.
RESERVE = 1
# One in ANONYMOUS calls has no credential, if the operation allows that. A session has five calls per minute.
ANONYMOUS = 40
# One in REPEATED create calls can have the idempotency key of an earlier call.
REPEATED = 10
# Parameters of a list that can change without invalidating the list's cursors.
NO_FILTERS = {"cursor", "limit", "fields"}

# The number of calls by operation and status.
counts = Counter()
# The number of calls per operation, which selects the kind of credential and the response format.
turns = Counter()
# The caller that received each ID. For all other callers, the ID doesn't exist.
seen_by = {}
# The time when each exhausted limit resets, in Unix seconds.
rests_until = {}
# Credentials that stopped working: revoked keys, and tokens of removed members.
ended = set()
# The caller that makes each call in progress.
under_way = {}


class Caller:
    """An organization, which makes calls with its keys or its owner's token."""

    def __init__(self, number, of):
        self.number = number
        self.of = {**of, "cursors": {}}
        # The IDs of resources that were created and not deleted, by path prefix.
        self.made = defaultdict(list, of["made"])
        self.made["/account/members/"] = [of["colleague"]["member_id"]]

    def credentials(self, kind):
        """Returns the credentials of a kind that still work."""
        every = [self.of["token"]] if kind == "bearer" else self.of["keys"]
        return [credential for credential in every if credential not in ended]


CALLERS = [Caller(number, of) for number, of in enumerate(GIVEN["callers"])]


@schemathesis.auth(refresh_interval=None)
class Marked:
    """Marks the calls that get a credential. Schemathesis omits the mark to test missing credentials."""

    def get(self, case, context):
        return "marked" if security(context.operation) else None

    def set(self, case, data, context):
        for name in HEADERS.values():
            case.headers.pop(name, None)


@schemathesis.deserializer("text/csv", *YAML_MEDIA_TYPES)
def as_text(context, response):
    """Decodes files, because the contract describes them as strings."""
    return response.content.decode()


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Closes the responses, as tests/src/closed.rs does: undocumented members and values are findings."""
    close(raw_schema)


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = name_of(case)
    turns[operation] += 1
    caller = identify(case) if case._has_explicit_auth else None
    accept(case, turns[operation])
    if case.meta is not None and case.meta.generation.mode.is_positive:
        rules.keep(case, GIVEN["known"], (caller or CALLERS[0]).of)
        if caller:
            use_own(case, caller)
        if operation == "accept_invitation" and caller:
            accept_invitation(case, caller)
    vary_key(case, turns[operation])


@schemathesis.hook
def after_call(context, case, response):
    counts[f"{name_of(case)} {response.status_code}"] += 1
    if case.id not in under_way:
        return
    caller, credential, limit = under_way.pop(case.id)
    note_limit(response, limit)
    if response.status_code == 401 or b"you belong to no organization" in response.content:
        ended.add(credential)
    if case.method == "DELETE" and response.status_code < 300:
        before, _, deleted = rendered(case, case.path).rpartition("/")
        caller.made[f"{before}/"] = [made for made in caller.made[f"{before}/"] if made != deleted]
    if response.status_code == 200 and header(response, "content-type") == "application/json":
        remember(case, response.json(), caller)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Ignores AMBIGUOUS_AUTH, because a contract can't make credentials mutually exclusive."""
    return b'"AMBIGUOUS_AUTH"' not in response.content or not isinstance(failure, RejectedPositiveData)


@atexit.register
def write_counts():
    COUNTS.write_text(json.dumps(counts))


def name_of(case):
    return case.operation.definition.raw["operationId"]


def security(operation):
    return operation.definition.raw.get("security", [])


def header(response, name):
    values = response.headers.get(name)
    return values[0] if values else None


def identify(case):
    """Adds a credential of an organization that has calls left in the current minute."""
    turn = turns[name_of(case)]
    wanted = security(case.operation)
    if {} in wanted and turn % ANONYMOUS == 0:
        return None
    kinds = [kind for alternative in wanted for kind in alternative if is_taken_here(kind, case.path)]
    first = turn % len(kinds)
    caller, kind, credential, limit = choose(case, kinds[first:] + kinds[:first])
    case.headers[HEADERS[kind]] = f"Bearer {credential}" if kind == "bearer" else credential
    under_way[case.id] = caller, credential, limit
    return caller


def is_taken_here(kind, path):
    """Returns whether the address under test accepts a kind of credential. Only place search differs."""
    return path != "/msearch" or (kind == "searchKey") == ON_SEARCH_GATEWAY


def choose(case, kinds):
    """Chooses the caller that received an ID in the call, or the first caller with calls left.

    Prefers the first kind of credential.
    """
    shown = [seen_by[str(value)] for value in case.path_parameters.values() if str(value) in seen_by]
    for owner in shown[:1]:
        for kind in kinds:
            for credential in owner.credentials(kind)[:1]:
                limit = limit_of(case, owner, credential)
                # Only this caller can make the next call in the sequence.
                if is_in_sequence(case) or rests_until.get(limit, 0) <= time.time():
                    return owner, kind, credential, limit
    for kind in kinds:
        if not any(caller.credentials(kind) for caller in CALLERS):
            raise RuntimeError(f"the calls have revoked every credential of kind {kind}")
    while True:
        for kind, caller in itertools.product(kinds, CALLERS):
            for credential in caller.credentials(kind):
                limit = limit_of(case, caller, credential)
                if rests_until.get(limit, 0) <= time.time():
                    return caller, kind, credential, limit
        time.sleep(1)


def is_in_sequence(case):
    return case.meta is not None and case.meta.phase.name == "stateful"


def limit_of(case, caller, credential):
    """Returns the rate limit that applies to a call: the limit of a person, a key, or an organization."""
    if case.path == "/msearch/inventory":
        return "inventory", credential
    if case.path.startswith(("/account", "/billing/", "/changes")) and case.path != "/billing/credits":
        return "account", credential
    return "organization", caller.number


def note_limit(response, limit):
    remaining = header(response, "x-ratelimit-remaining")
    if remaining is not None and int(remaining) <= RESERVE:
        rests_until[limit] = int(header(response, "x-ratelimit-reset"))


def accept(case, turn):
    """Requests the formats of a table in turn."""
    if "406" not in case.operation.definition.raw["responses"] or "Accept" in case.headers:
        return
    forms = [None, None, "text/csv"]
    if case.path.startswith("/msearch"):
        forms.append("application/geo+json")
    form = forms[turn % len(forms)]
    if form:
        case.headers["Accept"] = form


def use_own(case, caller):
    """In half of the calls, replaces an unknown ID with the ID of a resource that the caller created."""
    if turns[name_of(case)] % 2:
        return
    for name in IDS:
        if name in case.path_parameters and seen_by.get(str(case.path_parameters[name])) is not caller:
            before = rendered(case, case.path.partition("{" + name)[0])
            if caller.made[before]:
                case.path_parameters[name] = caller.made[before][-1]


def rendered(case, path):
    for name, value in case.path_parameters.items():
        path = path.replace("{" + name + "}", str(value))
    return path


def vary_key(case, turn):
    """Makes most idempotency keys unique, because the body of a repeated call isn't validated."""
    key = case.headers.get("Idempotency-Key")
    if turn % REPEATED and key and re.fullmatch("[!-~]{1,255}", key):
        case.headers["Idempotency-Key"] = f"{turn}-{key}"[:255]


def accept_invitation(case, caller):
    """Makes every acceptance use the invited person's token and invitation."""
    case.headers[HEADERS["bearer"]] = f"Bearer {caller.of['invited']['token']}"
    case.body["token"] = caller.of["invited"]["invitation"]
    # The response doesn't depend on the owner's credential.
    under_way.pop(case.id)
    caller.made["/account/members/"].append(caller.of["invited"]["member_id"])


def remember(case, answer, caller):
    """Records which caller received the IDs in a response, and the cursor of an unfiltered list."""
    for value in texts(answer):
        seen_by[value] = caller
    made = answer.get("data") if case.method == "POST" else None
    if isinstance(made, dict):
        for name in IDS:
            if name in made:
                caller.made[f"{rendered(case, case.path)}/"].append(made[name])
    # A list of changes has the cursor beside the changes.
    of_list = answer.get("pagination") or answer.get("data")
    cursor = of_list.get("cursor") if isinstance(of_list, dict) else None
    if cursor and set(case.query) <= NO_FILTERS:
        caller.of["cursors"][case.path + str(case.path_parameters)] = cursor


def texts(value):
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in IDS and isinstance(inner, str):
                yield inner
            else:
                yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def close(value):
    """Turns the lists of known values into enums, and closes the objects that list their members."""
    if isinstance(value, list):
        for inner in value:
            close(inner)
    elif isinstance(value, dict):
        if "x-extensible-enum" in value:
            value["enum"] = value.pop("x-extensible-enum")
        if "object" in str(value.get("type")) and "properties" in value:
            value.setdefault("additionalProperties", False)
        for inner in value.values():
            close(inner)
