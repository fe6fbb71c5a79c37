import json
import pathlib
import unittest
from http import HTTPStatus

import httpx

from calls import ApiError, succeeded
from contract import operations
from marquee_client import Client
from marquee_client.api.campaigns import read_campaign
from marquee_client.models import CampaignAssetReply
from marquee_client.types import Response
from test_completeness import module

LATER = json.loads((pathlib.Path(__file__).parent / "generated" / "later.json").read_text())


class LaterVersions(unittest.TestCase):
    """Responses with members, values, codes, and a version that the contract doesn't list."""

    client = Client(base_url="http://127.0.0.1")

    def test_every_response_is_read_with_its_new_members(self) -> None:
        modules = {operation["operationId"]: module(operation) for operation in operations()}
        read = set()
        for later in LATER:
            with self.subTest(operation=later["operation"], status=later["status"]):
                response = httpx.Response(later["status"], json=later["body"])
                parsed = modules[later["operation"]]._parse_response(client=self.client, response=response)
                one = parsed[0] if isinstance(parsed, list) else parsed
                self.assertEqual(one["new_member"], {"text": "new"})
                read.add(later["operation"])
        self.assertEqual(set(modules) - read, {"read_openapi"})

    def test_values_are_those_of_the_response(self) -> None:
        [body] = [one["body"] for one in LATER if (one["operation"], one["status"]) == ("read_campaign", 200)]
        reply = read_campaign._parse_response(client=self.client, response=httpx.Response(200, json=body))
        assert isinstance(reply, CampaignAssetReply)
        self.assertEqual((reply.meta.product, reply.meta.version), ("new_value", "9.9.9"))
        self.assertEqual(reply.meta.provenance.data_maturity, "new_value")

    def test_new_error_code_is_raised(self) -> None:
        body = next(one["body"] for one in LATER if one["status"] == 404)
        answer = httpx.Response(404, json=body)
        parsed = read_campaign._parse_response(client=self.client, response=answer)
        with self.assertRaises(ApiError) as unknown:
            succeeded(Response(HTTPStatus.NOT_FOUND, b"", {}, parsed), CampaignAssetReply)
        self.assertEqual((unknown.exception.status, unknown.exception.code), (404, "new_value"))
