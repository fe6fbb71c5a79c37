import warnings

import geopandas
import pandas

from marquee.frames import EstimateTable
from support import COHORT, ServiceTest, campaign, event


class Frames(ServiceTest):
    def test_places_and_displays_have_positions_maturity_and_provenance(self) -> None:
        for table in (
            self.client.places(brand="Starbucks", city="Phoenix"),
            self.client.displays(county_name="Brooklyn", cohort=COHORT, limit=600),
            self.client.markets("STATE"),
        ):
            self.assertIsInstance(table, geopandas.GeoDataFrame)
            self.assertGreater(len(table), 50)
            self.assertFalse(table.geometry.is_empty.any())
            self.assertTrue(table.maturity.isin(["production", "research-preview", "synthetic-only"]).all())
            self.assertIn("source", table.attrs["provenance"])

    def test_rows_without_a_position_are_a_plain_frame(self) -> None:
        places = self.client.places(brand="Starbucks", city="Phoenix", fields=["place_id"], limit=3)
        tables = {
            "brands": self.client.brands(),
            "cohorts": self.client.cohorts("Adults 18-34"),
            "population": self.client.population(COHORT, "COUNTY", state="AZ"),
            "report": self.client.report(places),
            "report by day": self.client.report(places, "days"),
            "places without a position": places,
        }
        for name, table in tables.items():
            with self.subTest(name):
                self.assertIs(type(table), pandas.DataFrame)
                self.assertGreater(len(table), 0)
                self.assertFalse(table.maturity.isna().any())
        self.assertEqual(
            tables["report"].attrs["totals"]["place_id"], [int(number) for number in places.place_id]
        )

    def test_empty_result_is_an_empty_frame_with_a_warning(self) -> None:
        table = self.client.places(brand="No such chain")
        self.assertEqual((len(table), list(table)), (0, ["maturity"]))
        self.assertEqual(table.attrs["warnings"][0]["pointer"], "/filter/brand")

    def test_places_of_displays_near_them(self) -> None:
        shops = self.client.places(brand="Starbucks", city="New York", fields=["place_id"])
        by_frame = self.client.displays_near(shops, "100 m", fields=["id"])
        shops_filter = {"brand": "Starbucks", "city": "New York"}
        by_filter = self.client.displays_near(shops_filter, "100 m", fields=["id"])
        self.assertGreater(len(by_filter), 0)
        self.assertEqual(list(by_filter.spot_id), list(by_frame.spot_id))

    def test_limit_reads_and_charges_only_the_pages_it_needs(self) -> None:
        for limit, pages in ((20, 1), (501, 2)):
            table = self.client.displays(limit=limit, fields=["id"])
            self.assertEqual((len(table), table.attrs["credits_used"]), (limit, pages))

    def test_places_are_compared_side_by_side(self) -> None:
        places = [
            place.place_id
            for place in self.client.search_places({"filter": {"city": "Phoenix"}}).data.results
        ]
        body = {"place_id": places[:3], "by_place": {"service_segment_ids": [COHORT]}}
        self.assertEqual(len(self.client.report(self.client.report_places(body), "by_place")), 3)

    def test_stored_campaigns_and_events_are_estimated(self) -> None:
        stored = self.client.create_campaign(campaign("stored")).data.asset_id
        self.assertEqual(list(self.client.estimate(stored).display_id), ["13320188"])
        shops = self.client.places(brand="Starbucks", city="New York", limit=2)
        reply = self.client.estimate_event(event("estimated", *shops.place_id))
        self.assertEqual(sorted(self.client.estimate(reply, "places").place_id), sorted(shops.place_id))

    def test_tables_of_an_estimate_share_one_charge(self) -> None:
        before = self.spent()
        reply = self.client.estimate_campaign(campaign("estimate"))
        tables: tuple[EstimateTable, ...] = ("displays", "weeks", "markets", "frequency_distribution")
        for table in tables:
            rows = self.client.estimate(reply, table)
            self.assertGreater(len(rows), 0)
            self.assertEqual(rows.attrs["totals"]["impressions"], reply.data.totals.impressions)
        self.assertEqual(self.spent() - before, 5)

    def test_spots_of_a_campaign_keep_64_bit_ids(self) -> None:
        body = campaign("spots", 13320188, 13320188)
        body["spots"][1]["spot_id"] = 2**63 - 1
        rows = self.client.campaign(self.client.create_campaign(body).data.asset_id)
        self.assertEqual(list(rows.spot_id), [2**53 + 1, 2**63 - 1])
        self.assertEqual(rows.attrs["campaign"]["customer"]["customer_id"], 2**63 - 1)

    def test_table_beyond_the_reach_of_a_search_warns(self) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(len(self.client.places(fields=["place_id"])), 10_000)
        self.assertIn("narrow the filter", str(caught[0].message))
