from calls import create_once, every_market, given, succeeded
from marquee_client.models import (
    CampaignAssetReply,
    InventoryFilter,
    InventoryPage,
    InventoryRecord,
    InventorySearchRequest,
)
from workflow import WorkflowTest, campaign


def size(record: InventoryRecord) -> float:
    face = given(given(given(record.layouts)[0].faces)[0])
    return given(face.width) * given(face.height)


class Prospecting(WorkflowTest):
    def test_creates_a_draft_in_the_market_of_an_audience(self) -> None:
        cohort, everyone = self.cohort("adults 25-34"), self.cohort("everyone")
        at_home = sorted(self.markets_of(cohort).results, key=lambda market: -market.composition_index)
        self.assertEqual([m.description for m in at_home[:3]], ["Fairbanks", "Austin", "Seattle-Tacoma"])

        markets = list(every_market(self.client))
        self.assertEqual((len(markets), len({market.market_id for market in markets})), (210, 210))
        spots_count = {market.market_id: market.spots_count for market in markets}
        with_displays = [market for market in at_home if spots_count[market.geography_id] > 0]
        self.assertEqual([m.geography_id for m in with_displays], ["US2020XDMA807", "US2020XDMA501"])

        found = self.displays(
            InventorySearchRequest(
                filter_=InventoryFilter(
                    dma_name=with_displays[0].description, media_type_name="Bulletin", search="mission st"
                ),
                field_set=["id", "layouts.faces", "location.primary_artery"],
                pagination=InventoryPage(page_size=1000),
            )
        )
        self.assertEqual((found.total, len(found.results)), (40, 40))
        shortlist = [given(record.spot_id) for record in sorted(found.results, key=size, reverse=True)[:3]]
        self.assertEqual(shortlist, [14947480, 26045640, 30699441])

        market = with_displays[0].geography_id
        created = create_once(self.client, campaign("Prospects", shortlist, market, cohort, everyone))
        asset = succeeded(created, CampaignAssetReply)
        self.assertEqual((asset.data.state, asset.data.cohort.geography_ids), ("draft", [market]))
        self.assertEqual([spot.display_id for spot in asset.data.spots], [str(spot) for spot in shortlist])
        self.assertEqual(self.cost(), 4)
