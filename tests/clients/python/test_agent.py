"""Tests the MCP server with the reference client, and the program and its output in docs/how-to/agents.md."""

import asyncio
import contextlib
import io
import pathlib
import re
import unittest
from typing import Any

import agent
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from workflow import CREDENTIALS, WorkflowTest

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = (HERE.parents[2] / "docs" / "how-to" / "agents.md").read_text()
URL = CREDENTIALS["base_url"].removesuffix("/v2") + "/mcp"


async def tools_and_documents() -> tuple[Any, Any, str]:
    async with httpx2.AsyncClient(headers={"X-API-Key": CREDENTIALS["sandbox_key"]}) as connection:
        async with Client(streamable_http_client(URL, http_client=connection)) as client:
            tools = (await client.list_tools()).tools
            documents = (await client.list_resources()).resources
            first: Any = (await client.read_resource(documents[0].uri)).contents[0]
            return tools, documents, first.text


class Agent(WorkflowTest):
    def test_documents_program_prints_its_output(self) -> None:
        program = (HERE / "agent.py").read_text()
        (shown,) = re.findall(r"^```python\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
        self.assertEqual(shown, program.split('"""\n\n', 1)[1])
        (expected,) = re.findall(r"^```text\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            asyncio.run(agent.main(URL, CREDENTIALS["enterprise_key"]))
        self.assertEqual(printed.getvalue(), expected)
        self.assertEqual(self.cost(), 7)

    def test_server_lists_tools_and_documents(self) -> None:
        tools, documents, text = asyncio.run(tools_and_documents())
        self.assertEqual(len(tools), 20)
        (delete,) = [tool for tool in tools if tool.name == "delete_campaign"]
        hints = delete.annotations
        self.assertEqual((hints.read_only_hint, hints.destructive_hint), (False, True))
        self.assertIn("agents.md", {document.name for document in documents})
        self.assertTrue(text.startswith("# "))


if __name__ == "__main__":
    unittest.main()
