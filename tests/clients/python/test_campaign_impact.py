from uuid import UUID

from calls import create_once, given, succeeded
from marquee_client.api.campaigns import delete_campaign, edit_campaign, read_campaign
from marquee_client.api.inventory import look_up_displays
from marquee_client.api.places import read_place_profile
from marquee_client.models import (
    CampaignAssetPatchRequest,
    CampaignAssetReply,
    DisplayLookupReply,
    DisplayLookupRequest,
    Error,
    GeoDistance,
    InventoryFilter,
    InventorySearchRequest,
    PlaceFilter,
    PlaceProfileReply,
)
from workflow import WorkflowTest, campaign, measure


class CampaignImpact(WorkflowTest):
    def test_creates_and_measures_a_campaign_around_a_place(self) -> None:
        found = self.places(PlaceFilter(place_name="starbucks", address="3165 Broadway", state="NY"))
        answer = read_place_profile.sync_detailed(given(found[0].place_id), client=self.client)
        profile = succeeded(answer, PlaceProfileReply).data
        dma = profile.market.dma
        assert dma is not None
        self.assertEqual((profile.postal_code, dma.id, dma.name), ("10027", "US2020XDMA501", "New York"))

        circle = GeoDistance(lat=profile.location.lat, lon=profile.location.lon, distance="400m")
        around = self.displays(
            InventorySearchRequest(
                filter_=InventoryFilter(geo_distance=circle, digital=True),
                field_set=["id", "media_name", "location.primary_artery"],
            )
        )
        spots = [given(record.spot_id) for record in around.results]
        self.assertEqual((around.total, len(spots), spots[0]), (7, 7, 13320188))

        cohort, everyone = self.cohort("adults 18-34"), self.cohort("everyone")
        created = create_once(self.client, campaign("Spring", spots, dma.id, cohort, everyone))
        asset = succeeded(created, CampaignAssetReply)
        self.assertEqual((asset.data.state, asset.data.version, asset.meta.warnings), ("draft", 1, []))
        self.assertEqual(created.headers["ETag"], '"1"')

        self.look_up(asset.data.asset_id, spots)
        for event in ("purchased", "started", "measured", "completed"):
            self.assertEqual(measure(asset.data.asset_id, event)["outcome"], "applied", event)
        self.assert_completed_and_locked(asset.data.asset_id)

        near = self.places(PlaceFilter(zip_code=profile.postal_code), page_size=1000)
        report = self.report(near)
        self.assertEqual((report.place_count, len(near)), (31, 31))
        segment = next(s for s in report.segments if str(s.service_segment_id) == cohort)
        self.assertGreater(segment.index, 120)
        # The workflow with a measurement costs 33 credits, and the two rejected calls cost 2 credits.
        self.assertEqual(self.cost(), 35)

    def look_up(self, asset: UUID, spots: list[int]) -> None:
        """Checks that looking up the displays of a stored campaign finds all of them."""
        stored = succeeded(read_campaign.sync_detailed(asset, client=self.client), CampaignAssetReply).data
        body = DisplayLookupRequest(spot_ids=[int(spot.display_id) for spot in stored.spots])
        answer = look_up_displays.sync_detailed(client=self.client, body=body)
        looked_up = succeeded(answer, DisplayLookupReply).data
        self.assertEqual([display.spot_id for display in looked_up.displays], spots)
        self.assertEqual((looked_up.unknown_ids, looked_up.displays[0].operator), ([], "CityBridge"))

    def assert_completed_and_locked(self, asset: UUID) -> None:
        stored = succeeded(read_campaign.sync_detailed(asset, client=self.client), CampaignAssetReply).data
        self.assertEqual(stored.state, "completed")
        self.assertIsNotNone(stored.last_measured_at)
        edited = edit_campaign.sync_detailed(asset, client=self.client, body=CampaignAssetPatchRequest())
        deleted = delete_campaign.sync_detailed(asset, client=self.client)
        for refused, code in ((edited, "ASSET_NOT_EDITABLE"), (deleted, "ASSET_NOT_DELETABLE")):
            assert isinstance(refused.parsed, Error)
            self.assertEqual((refused.status_code, refused.parsed.error.code), (400, code))
