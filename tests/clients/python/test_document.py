"""Tests that each code block of docs/how-to/clients.md is in a tested file."""

import pathlib
import re
import unittest

CLIENTS = pathlib.Path(__file__).resolve().parents[1]
DOCUMENT = (CLIENTS.parents[1] / "docs" / "how-to" / "clients.md").read_text()
FILES = {
    "python": ["python/calls.py", "python/test_calls.py", "../../clients/python/README.md"],
    "ts": ["typescript/calls.ts", "typescript/calls.test.ts", "../../clients/typescript/README.md"],
    "js": ["typescript/generate.mjs"],
    "sh": ["run.py"],
    "yaml": ["python/generator.yaml"],
}


def plain(text: str) -> str:
    """Normalizes whitespace, joins continued lines, and removes YAML comments."""
    joined = re.sub(r'"\n\s*"|\\\n', "", re.sub(r"^# .*\n", "", text, flags=re.MULTILINE))
    return re.sub(r"\s+", " ", joined).strip()


class Document(unittest.TestCase):
    def test_code_blocks_are_in_tested_files(self) -> None:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 15)
        for language, block in blocks:
            tested = [plain((CLIENTS / file).read_text()) for file in FILES[language]]
            self.assertTrue(any(plain(block) in file for file in tested), f"not in a tested file:\n{block}")
