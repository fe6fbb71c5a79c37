"""Generates the tools' requirements files: `make requirements`.

  python3 scripts/tools/compile.py    with uv in the same folder as python3

NAME.in contains a tool's version. NAME.txt lists the versions and hashes of all packages that the tool needs,
for every platform. Tools that share an environment also share the versions of their packages.
"""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
UV = [
    pathlib.Path(sys.executable).with_name("uv"), "pip", "compile", "--quiet", "--universal",
    # The oldest version that SAM supports.
    "--python-version", "3.11",
    "--generate-hashes", "--no-annotate", "--custom-compile-command", "make requirements",
]
# Tools with a separate environment.
SEPARATE = {"checkov", "python-client"}


def compiled(inputs, output, constraints):
    limits = ["--constraint", constraints] if constraints else []
    subprocess.run([*UV, "--upgrade", *limits, *inputs, "--output-file", output], cwd=HERE, check=True)


def main():
    names = {path.stem for path in HERE.glob("*.in")}
    with tempfile.TemporaryDirectory() as scratch:
        shared = pathlib.Path(scratch) / "shared.txt"
        compiled([f"{name}.in" for name in sorted(names - SEPARATE)], shared, None)
        for name in sorted(names):
            compiled([f"{name}.in"], f"{name}.txt", None if name in SEPARATE else shared)


if __name__ == "__main__":
    main()
