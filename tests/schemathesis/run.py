#!/usr/bin/env python3
"""Tests a `marquee serve` process against openapi.yaml with Schemathesis, at both addresses.

`run.py [--calls COUNT] [--seed NUMBER] [--examples COUNT] [--organizations COUNT]`

A round runs all phases of Schemathesis with one seed, at the main address and then at the search gateway.
Rounds continue with the next seed until enough calls were admitted. 402 and 429 don't count as admitted.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections import Counter

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

import callers  # noqa: E402
from service import Service  # noqa: E402

CALLERS = "callers.json"
NOT_ADMITTED = (402, 429)
# Each operation must succeed at least once within this many rounds.
ROUNDS = 3
SIGN_UPS = ("--sign-ups-per-day", "100000")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1, help="the minimum number of admitted calls")
    parser.add_argument("--seed", type=int, default=7, help="the seed of the first round")
    parser.add_argument("--examples", type=int, default=6, help="examples of each operation")
    parser.add_argument("--organizations", type=int, default=12, help="number of organizations")
    asked = parser.parse_args()
    counts = Counter()
    found = 0
    with tempfile.TemporaryDirectory() as folder, Service(folder, *SIGN_UPS) as service:
        seed = asked.seed
        # With few calls, an operation may not succeed even once. Additional rounds make that unlikely.
        while not found and (admitted(counts) < asked.calls or never(counts) and seed < asked.seed + ROUNDS):
            started = time.monotonic()
            write_callers(service, folder, seed, asked.organizations)
            for on_search_gateway in (False, True):
                found |= run_phases(service, folder, asked.examples, seed, on_search_gateway, counts)
            took = time.monotonic() - started
            print(f"== seed {seed}: {took:.0f} s, {admitted(counts)} calls admitted so far, "
                  f"without success: {sorted(never(counts)) or 'none'}", flush=True)
            seed += 1
    failures = [*(["Schemathesis reported the findings above"] if found else []), *failures_of(counts)]
    print(summary(counts))
    print("\n".join(failures) or f"no finding in {admitted(counts)} admitted calls")
    return 1 if failures else 0


def write_callers(service, folder, seed, count):
    """Creates organizations for a round. Earlier rounds may have revoked keys or removed members."""
    created = callers.create_all(service, seed, count)
    known = callers.known(service, created[0]["keys"][0])
    (pathlib.Path(folder) / CALLERS).write_text(json.dumps({"callers": created, "known": known}))


def run_phases(service, folder, examples, seed, on_search_gateway, counts):
    """Runs the phases at one address, adds the calls to `counts`, and returns the exit code."""
    written = pathlib.Path(folder) / "counts.json"
    # Stateful tests require links between operations, which the search gateway doesn't have.
    address = (["--url", service.origin, "--include-path-regex", "^/msearch",
                "--phases", "examples,coverage,fuzzing"] if on_search_gateway else
               ["--url", f"{service.origin}/v2", "--exclude-path", "/msearch/inventory"])
    command = [pathlib.Path(sys.executable).with_name("schemathesis"),
               "--config-file", HERE / "schemathesis.toml", "run", ROOT / "openapi.yaml",
               "--seed", str(seed), "--max-examples", str(examples), *address]
    environment = {**os.environ, "PYTHONPATH": str(HERE), "MARQUEE_COUNTS": str(written),
                   "MARQUEE_CALLERS": str(pathlib.Path(folder) / CALLERS),
                   "MARQUEE_SEARCH_GATEWAY": "1" if on_search_gateway else "0"}
    ended = subprocess.run(command, cwd=folder, env=environment).returncode
    counts.update(json.loads(written.read_text()))
    return ended


def admitted(counts):
    return sum(count for call, count in counts.items() if status(call) not in NOT_ADMITTED)


def status(call):
    return int(call.split()[1])


def failures_of(counts):
    """Yields failures that Schemathesis itself doesn't detect."""
    failed = {call: count for call, count in counts.items() if status(call) >= 500}
    if failed:
        yield f"5xx responses: {failed}"
    if unsuccessful := never(counts):
        yield f"operations that never succeeded: {', '.join(sorted(unsuccessful))}"
    if uncalled := operations() - {call.split()[0] for call in counts}:
        yield f"operations that were never called: {', '.join(sorted(uncalled))}"


def never(counts):
    """Returns the operations that were called and never succeeded."""
    return {call.split()[0] for call in counts} - {call.split()[0] for call in counts if status(call) < 400}


def operations():
    """Returns the operation IDs in the contract."""
    # The service doesn't serve the operations of receivers, which follow the paths.
    paths, found, _receivers = (ROOT / "openapi.yaml").read_text().partition("\nwebhooks:\n")
    assert found, "openapi.yaml must describe webhooks"
    lines = paths.splitlines()
    return {line.split(": ")[1] for line in lines if line.startswith("      operationId: ")}


def summary(counts):
    """Formats the numbers of calls by operation and status, and the totals."""
    of_operation, of_all = {}, Counter()
    for call, count in sorted(counts.items()):
        operation, answered = call.split()
        of_operation.setdefault(operation, []).append(f"{answered}: {count}")
        of_all[answered] += count
    lines = [f"{operation:28}{', '.join(answers)}" for operation, answers in of_operation.items()]
    return "\n".join([*lines, f"{'all':28}" + ", ".join(f"{key}: {of_all[key]}" for key in sorted(of_all))])


if __name__ == "__main__":
    sys.exit(main())
