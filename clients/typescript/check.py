#!/usr/bin/env python3
"""Builds the package, installs it into a new folder with only its dependencies, and tests it there.

Type-checks and runs the tests, the code in the README, and the examples against `marquee serve`, offline.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODULES = HERE / "node_modules"
sys.path[:0] = [str(ROOT / "tests" / "browser"), str(HERE.parent)]

import build  # noqa: E402
import contract  # noqa: E402
from service import Service  # noqa: E402

# The address in the documents.
EXAMPLE = "https://api.example.com"
CONFIGURATION = {
    "extends": str(HERE / "tsconfig.json"),
    "compilerOptions": {
        "declaration": False,
        "outDir": "programs",
        "rootDir": ".",
        "typeRoots": [str(MODULES / "@types")],
        "types": ["node"],
    },
    "include": ["*.ts"],
}


def main():
    document = contract.load()
    with tempfile.TemporaryDirectory() as folder, Service(folder) as service:
        folder = pathlib.Path(folder)
        (folder / "contract.json").write_text(json.dumps(document, default=str))
        installed = install(folder, document)
        variables = {
            "MARQUEE_API_KEY": service.credentials["enterprise_key"],
            "MARQUEE_CONTRACT": folder / "contract.json",
            "MARQUEE_DATA": service.data,
            "MARQUEE_URL": service.origin,
        }
        check(installed, variables)


def install(folder, document):
    """Installs the packed package, with copies of the dependencies that it declares. Returns the folder."""
    package = build.build(folder, document)
    new = folder / "new"
    new.mkdir()
    (new / "package.json").write_text('{"private": true, "type": "module"}')
    needed = dependencies(folder / "package")
    options = ["--offline", "--install-links", "--ignore-scripts", "--silent"]
    call(["npm", "install", *options, package, *needed], new)
    return new


def dependencies(package):
    """Returns the folders of the dependencies, and of their dependencies."""
    declared = json.loads((package / "package.json").read_text()).get("dependencies", {})
    return {folder for name in declared for folder in (MODULES / name, *dependencies(MODULES / name))}


def check(folder, variables):
    """Compiles and runs the tests, the README's code, and the examples."""
    for source in [*HERE.glob("tests/*"), *HERE.glob("examples/*")]:
        shutil.copy(source, folder)
    blocks = re.findall(r"^```ts\n(.*?)^```$", (HERE / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    readme = "".join(blocks).replace(EXAMPLE, str(variables["MARQUEE_URL"]))
    (folder / "readme.ts").write_text(readme)
    (folder / "tsconfig.json").write_text(json.dumps(CONFIGURATION))
    call([build.TSC], folder)
    tests = sorted(folder.glob("programs/*.test.js"))
    call(["node", "--test", "--test-reporter=dot", *tests], folder, **variables)
    call(["node", "programs/readme.js"], folder, **variables)
    for example in HERE.glob("examples/*.ts"):
        call(["node", f"programs/{example.stem}.js"], folder, **variables)


def call(command, folder, **variables):
    started = time.monotonic()
    environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=300)
    print(f"{time.monotonic() - started:.1f} s: {' '.join(str(part) for part in command[:3])}", flush=True)


if __name__ == "__main__":
    main()
