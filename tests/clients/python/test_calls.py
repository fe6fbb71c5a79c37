import csv
import uuid
from typing import Any

import httpx

from calls import ApiError, coffee_in_boston, create_once, call_with_retry, service, succeeded
from marquee_client import AuthenticatedClient
from marquee_client.api.campaigns import (
    create_campaign,
    delete_campaign,
    edit_campaign,
    list_campaigns,
    read_campaign,
)
from marquee_client.api.inventory import search_inventory
from marquee_client.api.service import read_openapi
from marquee_client.api.tiles import create_tile_grant, read_tile, read_tilejson
from marquee_client.models import (
    CampaignAssetCreateRequest,
    CampaignAssetListReply,
    CampaignAssetMembers,
    CampaignAssetPatchRequest,
    CampaignAssetReply,
    CampaignRefInput,
    InventoryPage,
    InventorySearchReply,
    InventorySearchRequest,
    TileGrantReply,
    TileGrantRequest,
    TileJson,
)
from marquee_client.types import File, Response
from workflow import CREDENTIALS, WorkflowTest, campaign

COHORT, EVERYONE = "10a19720-9af1-519f-9ff6-a129fe8adb3e", "272d18b6-2ce5-5301-87a8-b41e86cc9d31"


def body(name: str, *spots: int) -> CampaignAssetCreateRequest:
    return campaign(name, spots or [13320188], "US2020XDMA501", COHORT, EVERYONE)


def first_campaign(client: AuthenticatedClient) -> Response[Any]:
    return list_campaigns.sync_detailed(client=client, limit=1)


class LosesFirstResponse(httpx.HTTPTransport):
    """Sends all requests, and discards the first response."""

    lost = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        if self.lost:
            return response
        self.lost = True
        response.close()
        raise httpx.ReadTimeout("response lost", request=request)


class Calls(WorkflowTest):
    def test_finds_places(self) -> None:
        self.assertEqual({place.place_name for place in coffee_in_boston(self.client)}, {"Dunkin'"})
        self.assertEqual(self.cost(), 1)

    def test_error_has_its_code(self) -> None:
        response = read_campaign.sync_detailed(uuid.uuid4(), client=self.client)
        with self.assertRaises(ApiError) as unknown:
            succeeded(response, CampaignAssetReply)
        self.assertEqual((unknown.exception.status, unknown.exception.code), (404, "NOT_FOUND"))

        page = InventorySearchRequest(pagination=InventoryPage(page=0))
        with self.assertRaises(ApiError) as invalid:
            succeeded(search_inventory.sync_detailed(client=self.search, body=page), InventorySearchReply)
        self.assertEqual((invalid.exception.status, invalid.exception.code), (400, "invalid_request"))

    def test_create_with_lost_response_creates_once(self) -> None:
        losing = service(CREDENTIALS["base_url"], CREDENTIALS["enterprise_key"])
        connection = httpx.Client(
            base_url=CREDENTIALS["base_url"],
            headers={"X-API-Key": losing.token},
            transport=LosesFirstResponse(),
        )
        self.addCleanup(connection.close)
        losing.set_httpx_client(connection)
        response = create_once(losing, body("created once"))
        self.assertEqual(response.headers["Idempotency-Replayed"], "true")
        created = succeeded(response, CampaignAssetReply)
        self.assertEqual((created.meta.credits_used, self.cost()), (0, 1))
        listed = succeeded(
            list_campaigns.sync_detailed(client=self.client, customer_scenario_id="created once"),
            CampaignAssetListReply,
        )
        self.assertEqual([asset.asset_id for asset in listed.data], [created.data.asset_id])

    def test_reused_idempotency_key_is_rejected(self) -> None:
        key = str(uuid.uuid4())
        first = create_campaign.sync_detailed(client=self.client, body=body("one"), idempotency_key=key)
        self.assertEqual(first.status_code, 200)
        second = create_campaign.sync_detailed(client=self.client, body=body("two"), idempotency_key=key)
        with self.assertRaises(ApiError) as reused:
            succeeded(second, CampaignAssetReply)
        self.assertEqual((reused.exception.status, reused.exception.code), (409, "IDEMPOTENCY_KEY_REUSED"))

    def test_unknown_display_returns_warning(self) -> None:
        reply = succeeded(create_once(self.client, body("warned", 13320188, 1)), CampaignAssetReply)
        assert isinstance(reply.meta.warnings, list)
        self.assertEqual([w.pointer for w in reply.meta.warnings], ["/spots/1/display_id"])
        self.assertEqual(reply.meta.warnings_total, 1)

    def test_an_edit_of_the_version_that_was_seen(self) -> None:
        created = create_once(self.client, body("edited"))
        asset, seen = succeeded(created, CampaignAssetReply).data.asset_id, created.headers["ETag"]
        new_name = CampaignAssetPatchRequest(campaign=CampaignRefInput(name="Edited"))

        edited = edit_campaign.sync_detailed(asset, client=self.client, body=new_name, if_match=seen)
        self.assertEqual(succeeded(edited, CampaignAssetReply).data.version, 2)
        self.assertEqual(edited.headers["ETag"], '"2"')
        stale = edit_campaign.sync_detailed(asset, client=self.client, body=new_name, if_match=seen)
        with self.assertRaises(ApiError) as refused:
            succeeded(stale, CampaignAssetReply)
        self.assertEqual((refused.exception.status, refused.exception.code), (412, "PRECONDITION_FAILED"))
        self.assertEqual(stale.headers["ETag"], '"2"')
        deleted = delete_campaign.sync_detailed(asset, client=self.client, if_match=stale.headers["ETag"])
        self.assertEqual((deleted.status_code, deleted.parsed), (204, None))

    def test_rate_limited_call_is_retried(self) -> None:
        sandbox = service(CREDENTIALS["base_url"], CREDENTIALS["sandbox_key"])
        self.addCleanup(lambda: sandbox.get_httpx_client().close())
        response = first_campaign(sandbox)
        for _ in range(20):
            response = response if response.status_code == 429 else first_campaign(sandbox)
        with self.assertRaises(ApiError) as limited:
            succeeded(response, CampaignAssetListReply)
        self.assertEqual((limited.exception.status, limited.exception.code), (429, "RATE_LIMITED"))

        # The second call stands in for a call in the next minute, so the test doesn't wait.
        refusals, waited = [response], list[float]()
        again = call_with_retry(
            lambda: refusals.pop() if refusals else first_campaign(self.client), sleep=waited.append
        )
        self.assertEqual(again.status_code, 200)
        self.assertEqual((len(waited), 1 <= waited[0] <= 60), (1, True))

    def test_list_returns_chosen_members(self) -> None:
        create_once(self.client, body("listed"))
        response = list_campaigns.sync_detailed(client=self.client, fields="asset_id,state", limit=1)
        [asset] = succeeded(response, CampaignAssetListReply).data
        assert isinstance(asset, CampaignAssetMembers)
        self.assertEqual(set(asset.to_dict()), {"asset_id", "state"})

    def test_table_is_fetched_as_csv(self) -> None:
        response = self.client.get_httpx_client().get(
            "/markets", params={"geography_type": "STATE", "limit": 3}, headers={"Accept": "text/csv"}
        )
        rows = list(csv.DictReader(response.text.splitlines()))
        self.assertEqual((response.headers["X-Total-Count"], len(rows)), ("51", 3))
        self.assertIn('rel="next"', response.headers["Link"])

    def test_tile_is_bytes_and_contract_is_text(self) -> None:
        wanted = TileGrantRequest(allowed_origins=["https://maps.example.com"])
        created = create_tile_grant.sync_detailed("displays", client=self.client, body=wanted)
        grant = succeeded(created, TileGrantReply).data
        map_ = succeeded(
            read_tilejson.sync_detailed("displays", grant.grant_id, client=self.client), TileJson
        )
        token = httpx.URL(map_.tiles[0]).params["token"]
        tile = read_tile.sync_detailed("displays", "faces", 4, 4, 6, client=self.client, token=token)
        assert isinstance(tile.parsed, File)
        self.assertEqual((tile.status_code, tile.parsed.payload.read(1)), (200, b"\x1a"))

        contract = read_openapi.sync_detailed(client=self.client).parsed
        assert isinstance(contract, str)
        self.assertTrue(contract.startswith("openapi: 3.1."))
