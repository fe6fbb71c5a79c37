"""Whether docs/how-to/clients.md shows what is tested: each block of code is in a file of these folders."""

import pathlib
import re
import unittest

CLIENTS = pathlib.Path(__file__).resolve().parents[1]
DOCUMENT = (CLIENTS.parents[1] / "docs" / "how-to" / "clients.md").read_text()
FILES = {
    "python": ["python/calls.py", "python/test_calls.py"],
    "ts": ["typescript/calls.ts", "typescript/calls.test.ts"],
    "sh": ["run.py"],
    "yaml": ["python/generator.yaml"],
}


def plain(text: str) -> str:
    """A text without the breaks of its lines and their indents, and without comments of YAML."""
    joined = re.sub(r'"\n\s*"|\\\n', "", re.sub(r"^# .*\n", "", text, flags=re.MULTILINE))
    return re.sub(r"\s+", " ", joined).strip()


class Document(unittest.TestCase):
    def test_each_block_of_code_stands_in_a_tested_file(self) -> None:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 15)
        for language, block in blocks:
            tested = [plain((CLIENTS / file).read_text()) for file in FILES[language]]
            self.assertTrue(any(plain(block) in file for file in tested), f"no tested file has\n{block}")
