#!/usr/bin/env python3
"""Builds the package, and tests it in a new environment: `check.py WHEELS`.

WHEELS is a folder with the wheels of all packages in scripts/tools/python-client.txt. The tests in
`tests/base` run with only the package's requirements, and the others with its extras.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "tests" / "browser"), str(ROOT / "tests" / "clients")]

import yaml  # noqa: E402

import later  # noqa: E402
from service import Service, program  # noqa: E402

TOOLS = pathlib.Path(sys.executable).parent
TESTS = HERE / "tests"


def main():
    wheels = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder, Service(folder) as service:
        folder = pathlib.Path(folder)
        call([sys.executable, HERE / "generate.py"])
        sources = [*HERE.glob("src/marquee/*.py"), *TESTS.rglob("*.py")]
        types = subprocess.Popen([TOOLS / "mypy", "--cache-dir", folder / "types", *sources], cwd=HERE)
        environment = variables(folder, service)
        wheel = built(folder)
        python = new_environment(folder)
        install(python, wheels, wheel)
        tests(python, "base", environment)
        install(python, wheels, f"{wheel}[geopandas]", "nbclient", "ipykernel")
        tests(python, "frames", environment)
        tests(python, "documents", environment)
        return types.wait()


def variables(folder, service):
    """Writes the contract, and responses of a later version. Returns the variables that the tests read."""
    contract = yaml.load((ROOT / "openapi.yaml").read_text(), yaml.CSafeLoader)
    files = {"MARQUEE_CONTRACT": contract, "MARQUEE_LATER": list(later.responses(contract))}
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, default=str))
    paths = {name: str(folder / name) for name in files}
    return {**paths, "MARQUEE_DATA": str(service.data), "MARQUEE": str(program()), "PYTHONPATH": str(TESTS)}


def built(folder):
    """Builds the source distribution, and from it the wheel."""
    call([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "dist", HERE])
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


def new_environment(folder):
    call([sys.executable, "-m", "venv", "--without-pip", folder / "new"])
    return folder / "new" / "bin" / "python3"


def install(python, wheels, *packages):
    """Installs packages and the requirements that they declare, offline."""
    options = [
        "--quiet",
        "--disable-pip-version-check",
        "--no-compile",
        "--no-index",
        "--find-links",
        wheels,
    ]
    call([sys.executable, "-m", "pip", "--python", python, "install", *options, *packages])


def tests(python, name, environment):
    call([python, "-m", "unittest", "discover", "--start-directory", TESTS / name], **environment)


def call(command, **environment):
    started = time.monotonic()
    environment = {**os.environ, **environment}
    subprocess.run(command, cwd=HERE, env=environment, check=True, timeout=300)
    print(f"{time.monotonic() - started:.1f} s: {' '.join(str(part) for part in command[:5])}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
