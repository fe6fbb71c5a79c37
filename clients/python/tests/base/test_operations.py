import os
import warnings
from collections.abc import Callable, Iterator
from unittest import mock

import marquee
from marquee import codes, models
from marquee.model import Model
from support import CREDENTIALS, EVERYONE, URL, ServiceTest, campaign, event


class Operations(ServiceTest):
    def test_finds_places_by_mapping_and_by_model(self) -> None:
        for body in (
            {"filter": {"brand": "Starbucks", "city": "Phoenix"}},
            models.PlaceSearchRequest(filter=models.PlaceFilter(brand="Starbucks", city="Phoenix")),
        ):
            found = self.client.search_places(body).data.results
            self.assertEqual({place.brand for place in found}, {"Starbucks"})

    def test_finds_the_search_gateway(self) -> None:
        page = self.client.search_inventory({"filter": {"dma_name": "NYC"}, "pagination": {"page_size": 2}})
        self.assertEqual(len(page.results), 2)

    def test_anonymous_calls_share_a_session(self) -> None:
        client = self.anonymous()
        left = [client.search_places().meta.credits_remaining for _ in range(2)]
        self.assertEqual(left[0] - left[1], 1)

    def test_key_from_the_environment(self) -> None:
        with mock.patch.dict(os.environ, MARQUEE_API_KEY=CREDENTIALS["enterprise_key"]):
            client = marquee.connect(f"{URL}/v2/")
        self.addCleanup(client.close)
        self.assertEqual(client.read_health().tier, "enterprise")

    def test_campaign_from_creation_to_deletion(self) -> None:
        created = self.client.create_campaign(campaign("from creation to deletion")).data
        self.assertEqual((created.spots[0].spot_id, created.customer.customer_id), (2**53 + 1, 2**63 - 1))
        edited = self.client.edit_campaign(
            created.asset_id,
            models.CampaignAssetPatchRequest(campaign=models.CampaignRefInput(name="Autumn")),
        ).data
        assert edited.campaign is not None
        self.assertEqual(edited.campaign.name, "Autumn")
        cleared = self.client.edit_campaign(
            created.asset_id, models.CampaignAssetPatchRequest(campaign=None)
        ).data
        self.assertIsNone(cleared.campaign)
        version = f'"{cleared.version}"'
        self.assertIsNone(self.client.read_campaign(created.asset_id, if_none_match=version))
        with self.assertRaises(codes.PreconditionFailed):
            self.client.edit_campaign(created.asset_id, {}, if_match='"1"')
        listed = self.client.iter_campaigns(customer_scenario_id="from creation to deletion")
        self.assertEqual([asset.asset_id for asset in listed], [created.asset_id])
        self.client.delete_campaign(created.asset_id, if_match=version)
        with self.assertRaises(codes.NotFound):
            self.client.read_campaign(created.asset_id)

    def test_event_from_creation_to_deletion(self) -> None:
        place = self.client.search_places({"pagination": {"page_size": 1}}).data.results[0].place_id
        created = self.client.create_event(event("tasting", place)).data
        self.assertEqual(
            self.client.edit_event(created.asset_id, {"name": "Second tasting"}).data.name, "Second tasting"
        )
        self.client.delete_event(created.asset_id)

    def test_measurement_is_bought_once(self) -> None:
        asset = self.client.create_campaign(campaign("measured")).data.asset_id
        before = self.spent()
        for _ in range(2):
            bought = self.client.buy_campaign_measurement(asset, idempotency_key="measured")
            self.assertEqual(bought.data.state, "queued")
        self.assertEqual(self.spent() - before, 25)
        self.assertEqual(self.client.read_campaign_measurement(asset).data.state, "queued")

    def test_client_link_shows_a_campaign_until_it_is_revoked(self) -> None:
        asset = self.client.create_campaign(campaign("shown")).data.asset_id
        link = self.client.create_client_link(asset, {}).data
        token = str(link.url).split("#")[1]
        shown = self.anonymous().read_client_campaign(x_client_link=token).data
        self.assertEqual(len(shown.displays), 1)
        self.assertEqual([one.link_id for one in self.client.list_client_links(asset).data], [link.link_id])
        self.client.revoke_client_link(asset, link.link_id)
        with self.assertRaises(codes.NotFound):
            self.anonymous().read_client_campaign(x_client_link=token)

    def test_account_operations_use_an_id_token(self) -> None:
        with self.assertRaises((codes.Forbidden, codes.Unauthorized)):
            self.client.list_keys()
        created = self.owner().create_key({"label": "from a program", "scopes": ["analytics"]}).data
        self.owner().revoke_key(created.key_id)

    def test_tiles_are_bytes(self) -> None:
        grant = self.client.create_tile_grant(
            "displays", {"allowed_origins": ["https://maps.example.com"]}
        ).data
        url = self.client.read_tilejson("displays", grant.grant_id).tiles[0]
        tile = self.client.read_tile("displays", "faces", 10, 301, 385, token=str(url).split("token=")[1])
        assert tile is not None
        self.assertIn(b"faces", tile)


class Pagers(ServiceTest):
    def test_each_pager_returns_every_item_once(self) -> None:
        everywhere = {
            "filter": {"city": "Phoenix", "place_type_name": "Coffee Shop"},
            "pagination": {"page_size": 50},
        }
        counties = {
            "service_segment_id": EVERYONE,
            "geography_type": ["COUNTY"],
            "state": "AZ",
            "pagination": {"page_size": 4},
        }
        displays = {"filter": {"dma_name": "San Francisco"}, "fieldSet": ["id"]}
        cases: list[tuple[Callable[[], Iterator[Model]], str, int]] = [
            (lambda: self.client.iter_markets(), "market_id", self.client.list_markets().pagination.total),
            (
                lambda: self.client.iter_places(everywhere),
                "place_id",
                self.client.search_places(everywhere).data.pagination.total_results,
            ),
            (lambda: self.client.iter_population_at_home(counties), "geography_id", 15),
            (
                lambda: self.client.iter_inventory(displays),
                "spot_id",
                self.client.search_inventory(displays).total,
            ),
        ]
        for items, member, total in cases:
            with self.subTest(member):
                found = [getattr(item, member) for item in items()]
                self.assertGreater(total, 10)
                self.assertEqual((len(found), len(set(found))), (total, total))

    def test_search_beyond_its_reach_warns(self) -> None:
        pages = self.client.pages_of_places({"fieldSet": ["place_id"], "pagination": {"page_size": 5000}})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(sum(len(page.data.results) for page in pages), 10_000)
        self.assertIn("read 10,000 of ", str(caught[0].message))
