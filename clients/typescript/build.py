#!/usr/bin/env python3
"""Generates the modules derived from openapi.yaml, compiles the package, and packs it: `build.py FOLDER`.

`operations.ts` contains the table of operations and the error codes. `marquee.d.ts` contains the types, which
the script in docs/how-to/clients.md generates. See docs/decisions/0066-typescript-package.md.
"""

import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

from contract import NUMBERED, error_codes, load, operations  # noqa: E402

GENERATED = HERE / "src" / "generated"
TSC = HERE / "node_modules" / ".bin" / "tsc"


def main():
    print(build(pathlib.Path(sys.argv[1]).resolve(), load()))


def build(folder, contract):
    """Builds and packs the package, and returns the path of its archive."""
    generate(contract)
    package = folder / "package"
    shutil.rmtree(package, ignore_errors=True)
    subprocess.run([TSC, "--project", HERE, "--outDir", package / "dist"], check=True)
    (package / "dist" / "generated").mkdir(exist_ok=True)
    shutil.copy(GENERATED / "marquee.d.ts", package / "dist" / "generated")
    shutil.copy(HERE / "README.md", package)
    described = json.loads((HERE / "package.json").read_text()) | {"version": contract["info"]["version"]}
    del described["devDependencies"]
    (package / "package.json").write_text(json.dumps(described, indent=2))
    pack = ["npm", "pack", "--silent", "--pack-destination", folder]
    packed = subprocess.run(pack, cwd=package, check=True, capture_output=True, text=True)
    return folder / packed.stdout.strip()


def generate(contract):
    shutil.rmtree(GENERATED, ignore_errors=True)
    GENERATED.mkdir()
    (GENERATED / "operations.ts").write_text(table(contract))
    script = ROOT / "tests" / "clients" / "typescript" / "generate.mjs"
    # JSON is also YAML. Idempotency keys are optional, because the client creates missing ones.
    for operation in operations(contract):
        for parameter in operation.parameters:
            if parameter["name"] == "Idempotency-Key":
                parameter["required"] = False
    (GENERATED / "openapi.yaml").write_text(json.dumps(contract, default=str))
    shutil.copy(script, GENERATED)
    subprocess.run(["node", script.name], cwd=GENERATED, check=True)


def table(contract):
    """Returns the module with the facts about the operations, and with the error codes."""
    rows, paged = [], []
    for one in operations(contract):
        pages = pages_of(one)
        facts = {"name": one.name, **one.facts(), **({"pages": pages} if pages else {})}
        path = facts.pop("path")
        rows.append(f'  "{one.method.upper()} {path}": {json.dumps(facts)},\n')
        paged += [f'  "{path}": "{one.method}";\n'] if pages else []
    codes = " | ".join(f'"{code}"' for code in error_codes(contract))
    return (
        "// Generated from openapi.yaml by build.py.\n\n"
        'import type { Operation } from "../calls.js";\n\n'
        "/** The version of the package and of the API. */\n"
        f'export const VERSION = "{contract["info"]["version"]}";\n\n'
        f"/** The codes of error responses. */\nexport type ErrorCode = {codes};\n\n"
        "/** The methods of the paged operations, by path. */\n"
        f"export interface Paged {{\n{''.join(paged)}}}\n\n"
        f"export const OPERATIONS: Record<string, Operation> = {{\n{''.join(rows)}}};\n"
    )


def pages_of(operation):
    if operation.has_cursor():
        return {"rows": "data"}
    if operation.name in NUMBERED:
        size, reach, rows, total = NUMBERED[operation.name]
        return {"rows": rows, "numbered": {"size": size, "reach": reach, "total": total}}
    return None


if __name__ == "__main__":
    main()
