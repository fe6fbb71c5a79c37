"""Tests how `make deploy` installs tools: by hash, without credentials, and only if a region is set."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from fake_account import ROOT

sys.path.append(str(ROOT / "scripts" / "deploy"))
import region

TOOLS = ROOT / "scripts" / "tools"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
NO_FILES = {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}
# Variables that GitHub sets in a job with `id-token: write`.
ID_TOKEN = {"ACTIONS_ID_TOKEN_REQUEST_URL": "https://example.com", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "local"}
# Replaces python3 and cargo. Records its arguments, and the names of its AWS and GitHub variables.
RECORDING = f"""#!/bin/bash
echo "$*|$(compgen -e | grep -E '^(AWS|ACTIONS)_' | grep -v _FILE | xargs)" >> "$RECORD"
if [[ "$1 $2" == "-m venv" ]]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python3"; fi
if [[ "$*" == *uv.txt ]]; then cp "$0" "${{0%/*}}/uv"; fi
if [[ "$1" == scripts/deploy/region.py ]]; then exec {sys.executable} "$@"; fi
"""


class Installation(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.record = self.folder / "record"
        for name in ("python3", "cargo"):
            (self.folder / name).write_text(RECORDING)
            (self.folder / name).chmod(0o700)

    def make(self, *arguments, **variables):
        """Runs the project's make with recording programs. Returns its exit code, errors, and record."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "ACTIONS_", "MAKE"))}
        path = f"{self.folder}:{os.environ['PATH']}"
        environment = kept | NO_FILES | {"PATH": path, "RECORD": str(self.record)} | variables
        command = [shutil.which("make"), f"TOOLS={self.folder / 'tools'}", *arguments]
        ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        lines = self.record.read_text().splitlines() if self.record.exists() else []
        return ended.returncode, ended.stderr, [tuple(line.split("|")) for line in lines]

    def test_reports_a_missing_region_before_it_installs_anything(self):
        for target in ("deploy", "rollback", "destroy"):
            code, errors, record = self.make(target, **CREDENTIALS)
            self.assertEqual(code, 2)
            self.assertIn(region.MISSING, errors)
            self.assertEqual({command for command, _ in record}, {"scripts/deploy/region.py"})
            self.assertFalse((self.folder / "tools").exists())

    def test_installs_by_hash_and_compiles_without_credentials(self):
        given = CREDENTIALS | ID_TOKEN | {"AWS_REGION": "eu-north-1", "AWS_PROFILE": "ops"}
        code, errors, record = self.make("deploy", **given)
        self.assertEqual(code, 0, errors)
        install = "pip install --quiet --no-deps --require-hashes --requirement scripts/tools"
        python = self.folder / "tools" / "bin" / "python3"
        self.assertIn((f"-m {install}/uv.txt", ""), record)
        self.assertIn((f"{install}/sam.txt --python {python}", ""), record)
        self.assertIn(("build --bin marquee", ""), record)
        command, variables = record[-1]
        self.assertEqual((command, set(variables.split())), ("scripts/deploy", set(given)))

    def test_installs_every_package_by_hash(self):
        installs = re.findall(r"pip (?:install|download) .*", (ROOT / "Makefile").read_text().replace("\\\n", ""))
        self.assertEqual(len(installs), 3)
        self.assertTrue(all("--require-hashes" in one for one in installs), installs)
        for given in TOOLS.glob("*.in"):
            tools = [line for line in given.read_text().splitlines() if not line.startswith("#")]
            self.assertTrue(tools)
            generated = given.with_suffix(".txt").read_text()
            for tool in tools:
                self.assertIn(f"\n{tool} \\\n    --hash=sha256:", generated, "run `make requirements`")


class Region(unittest.TestCase):
    def test_is_found_where_boto3_finds_it(self):
        with tempfile.TemporaryDirectory() as folder:
            config, credentials = pathlib.Path(folder) / "config", pathlib.Path(folder) / "credentials"
            config.write_text("[default]\nregion = eu-west-1\n[profile ops]\nregion=us-east-2\n[profile bare]\n")
            credentials.write_text("[keys]\nregion = ap-south-1\n")
            files = {"AWS_CONFIG_FILE": str(config), "AWS_SHARED_CREDENTIALS_FILE": str(credentials)}
            for variables, expected in [
                ({}, "eu-west-1"),
                ({"AWS_REGION": "eu-north-1", "AWS_DEFAULT_REGION": "us-west-1"}, "eu-north-1"),
                ({"AWS_REGION": "", "AWS_DEFAULT_REGION": "us-west-1"}, "us-west-1"),
                ({"AWS_PROFILE": "ops"}, "us-east-2"),
                ({"AWS_PROFILE": "keys"}, "ap-south-1"),
                ({"AWS_PROFILE": "bare"}, None),
                ({"AWS_PROFILE": "unknown"}, None),
            ]:
                self.assertEqual(region.region(files | variables), expected, variables)
            config.write_text("region = eu-west-1\n")
            self.assertIsNone(region.region(files))
        self.assertIsNone(region.region(NO_FILES))


if __name__ == "__main__":
    unittest.main()
