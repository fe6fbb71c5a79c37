"""Runs the code in the README and in the notebooks against the service."""

import contextlib
import io
import os
import pathlib
import re
import unittest
from unittest import mock

import nbformat
from nbclient import NotebookClient

from support import CREDENTIALS, URL

PACKAGE = pathlib.Path(__file__).parents[2]
# The address in the documents.
EXAMPLE = "https://api.example.com"
KEY = {"MARQUEE_API_KEY": CREDENTIALS["enterprise_key"]}


class Documents(unittest.TestCase):
    def test_readme_code_runs_in_its_order(self) -> None:
        blocks = re.findall(
            r"^```python\n(.*?)^```$", (PACKAGE / "README.md").read_text(), re.MULTILINE | re.DOTALL
        )
        self.assertGreater(len(blocks), 5)
        names: dict[str, object] = {}
        with mock.patch.dict(os.environ, KEY):
            for block in blocks:
                with self.subTest(block), contextlib.redirect_stdout(io.StringIO()):
                    exec(block.replace(EXAMPLE, URL), names)

    def test_notebooks_run_and_are_stored_without_outputs(self) -> None:
        notebooks = list((PACKAGE / "notebooks").glob("*.ipynb"))
        self.assertGreater(len(notebooks), 0)
        for path in notebooks:
            with self.subTest(path.name), mock.patch.dict(os.environ, KEY):
                notebook = nbformat.read(path, as_version=4)
                for cell in notebook.cells:
                    self.assertFalse(cell.get("outputs") or cell.get("execution_count"), "clear the outputs")
                    cell.source = cell.source.replace(EXAMPLE, URL)
                NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
