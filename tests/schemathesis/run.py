#!/usr/bin/env python3
"""Calls a `marquee serve` of its own by Schemathesis, at both addresses, and holds it to openapi.yaml.

`run.py [--calls COUNT] [--seed NUMBER] [--examples COUNT] [--organizations COUNT]`

A round is all phases of Schemathesis at the main address and then at the search gateway's; the next round has
the next seed. Rounds follow one another until so many calls were admitted: 402 and 429 are not.
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
# How many rounds look for a success of each operation.
ROUNDS = 3
SIGN_UPS = ("--sign-ups-per-day", "100000")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1, help="rounds follow until so many were admitted")
    parser.add_argument("--seed", type=int, default=7, help="of the first round")
    parser.add_argument("--examples", type=int, default=8, help="of each operation, in fuzzing and stateful")
    parser.add_argument("--organizations", type=int, default=12, help="among which the calls are spread")
    asked = parser.parse_args()
    counts = Counter()
    found = 0
    with tempfile.TemporaryDirectory() as folder, Service(folder, *SIGN_UPS) as service:
        seed = asked.seed
        # Few calls of an operation may all have bad luck: further rounds tell that from what never succeeds.
        while not found and (admitted(counts) < asked.calls or never(counts) and seed < asked.seed + ROUNDS):
            started = time.monotonic()
            write_callers(service, folder, seed, asked.organizations)
            for on_search_gateway in (False, True):
                found |= tried(service, folder, asked.examples, seed, on_search_gateway, counts)
            took = time.monotonic() - started
            print(f"== seed {seed}: {took:.0f} s, {admitted(counts)} calls admitted so far", flush=True)
            seed += 1
    failures = [*(["Schemathesis found what is above"] if found else []), *wrong(counts)]
    print(told(counts))
    print("\n".join(failures) or f"no finding in {admitted(counts)} admitted calls")
    return 1 if failures else 0


def write_callers(service, folder, seed, count):
    """Makes the organizations of a round: an earlier one's may have lost their keys and their members."""
    made = callers.made(service, seed, count)
    known = callers.known(service, made[0]["keys"][0])
    (pathlib.Path(folder) / CALLERS).write_text(json.dumps({"callers": made, "known": known}))


def tried(service, folder, examples, seed, on_search_gateway, counts):
    """Runs the phases at one of the addresses and adds its calls; 0 when nothing was found."""
    written = pathlib.Path(folder) / "counts.json"
    # No call of the search gateway leads to another one.
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


def wrong(counts):
    """What is wrong beyond what Schemathesis checks."""
    failed = {call: count for call, count in counts.items() if status(call) >= 500}
    if failed:
        yield f"answers of 5xx: {failed}"
    if unsuccessful := never(counts):
        yield f"never answered with a success: {', '.join(sorted(unsuccessful))}"
    if uncalled := operations() - {call.split()[0] for call in counts}:
        yield f"never called: {', '.join(sorted(uncalled))}"


def never(counts):
    """The operations that were called and never answered with a success."""
    return {call.split()[0] for call in counts} - {call.split()[0] for call in counts if status(call) < 400}


def operations():
    """The operations of the contract, by the lines that name them."""
    lines = (ROOT / "openapi.yaml").read_text().splitlines()
    return {line.split(": ")[1] for line in lines if line.startswith("      operationId: ")}


def told(counts):
    """The calls of each operation by status, and of all."""
    of_operation, of_all = {}, Counter()
    for call, count in sorted(counts.items()):
        operation, answered = call.split()
        of_operation.setdefault(operation, []).append(f"{answered}: {count}")
        of_all[answered] += count
    lines = [f"{operation:28}{', '.join(answers)}" for operation, answers in of_operation.items()]
    return "\n".join([*lines, f"{'all':28}" + ", ".join(f"{key}: {of_all[key]}" for key in sorted(of_all))])


if __name__ == "__main__":
    sys.exit(main())
