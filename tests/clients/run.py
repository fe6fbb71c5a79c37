#!/usr/bin/env python3
"""Generates clients from openapi.yaml, type-checks programs that use them, and runs these programs.

`run.py [python] [typescript]` runs the given languages, or both. Each language has its own `marquee serve`.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

from ruamel.yaml import YAML  # noqa: E402

import later  # noqa: E402
from service import Service, program, sample_release  # noqa: E402

TOOLS = pathlib.Path(sys.executable).parent
# The commands in docs/how-to/clients.md.
GENERATE = {
    "python": "openapi-python-client generate --path openapi.yaml --config generator.yaml --meta none"
    " --output-path marquee_client --fail-on-warning",
    "typescript": "node generate.mjs",
}
# The configuration files from the same guide.
SETTINGS = {"python": "generator.yaml", "typescript": "generate.mjs"}
CHECK = {"python": "mypy .", "typescript": "tsc"}
TEST = {
    "python": f"{sys.executable} -m unittest discover --verbose",
    "typescript": "node --test --test-concurrency=1 --test-reporter=spec generated/programs",
}
# Words that the generators' messages about omitted parts contain.
COMPLAINTS = ("warning", "error", "⚠", "skipping", "omitted")


class Failed(Exception):
    """A failure of a command, with the command's output."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE")
    asked = parser.parse_args().languages or list(GENERATE)
    if unknown := set(asked) - set(GENERATE):
        parser.error(f"unsupported language: {unknown.pop()}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MARQUEE_RELEASE"] = str(sample_release(folder))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            runs = {language: pool.submit(run, language) for language in asked}
    return 1 if any([report(language, done) for language, done in runs.items()]) else 0


def report(language, done):
    """Prints the output of a language's run. Returns whether the run failed."""
    failure = done.exception()
    if failure and not isinstance(failure, Failed):
        raise failure
    print(f"== {language}\n{failure or done.result()}", flush=True)
    return failure is not None


def run(language):
    """Generates, checks, and tests one language's client. Returns the tests' output and the times."""
    started = time.monotonic()
    generate(language)
    generated = time.monotonic()
    call(CHECK[language], HERE / language)
    checked = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Service(folder) as service:
        variables = {"MARQUEE": str(program()), "MARQUEE_DATA": str(service.data)}
        printed = call(TEST[language], HERE / language, **variables)
    ended = time.monotonic()
    return (
        f"{printed}generated in {generated - started:.0f} s, checked in {checked - generated:.0f} s, "
        f"tested in {ended - checked:.0f} s"
    )


def generate(language):
    """Generates the client in a new folder with the contract, the configuration, and the test responses."""
    folder = HERE / language / "generated"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copy(ROOT / "openapi.yaml", folder)
    contract = YAML(typ="safe").load(ROOT / "openapi.yaml")
    (folder / "openapi.json").write_text(json.dumps(contract))
    (folder / "later.json").write_text(json.dumps(list(later.responses(contract))))
    shutil.copy(HERE / language / SETTINGS[language], folder)
    printed = call(GENERATE[language], folder)
    complaints = [line for line in printed.splitlines() if any(word in line.lower() for word in COMPLAINTS)]
    if complaints:
        raise Failed("\n".join(complaints))


def call(command, folder, **environment):
    """Runs a command with the tools of the language, and returns the output."""
    tools = [str(TOOLS), str(HERE / "typescript" / "node_modules" / ".bin"), os.environ["PATH"]]
    path = {"PATH": os.pathsep.join(tools), "PYTHONPATH": str(HERE / "python" / "generated")}
    with tempfile.TemporaryFile("w+") as printed:
        environment = {**os.environ, **path, **environment}
        done = subprocess.run(command.split(), cwd=folder, env=environment, stdout=printed, stderr=printed)
        printed.seek(0)
        if done.returncode:
            raise Failed(f"{command}: {done.returncode}\n{printed.read()}")
        return printed.read()


if __name__ == "__main__":
    sys.exit(main())
