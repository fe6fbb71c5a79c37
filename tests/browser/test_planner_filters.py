"""Searches for displays near places, and display rankings by audience."""

import math
import re

from playwright.sync_api import expect

import axe
from journeys import journey
from people import YOUNG_ADULTS
from plans import choose, rows, search
from portal import PortalTest, ready

COUNTY = "New York County, NY"
# The maximum difference between distances computed by the test and by the service, in meters.
ROUNDING = 1
REQUEST = {
    "near_places": {"filter": {"brand": "Starbucks", "county_name": COUNTY}, "distance": "500m"},
    "not_near_places": {"filter": {"brand": "Dunkin'", "county_name": COUNTY}, "distance": "200m"},
}


class PlannerFiltersTest(PortalTest):
    def setUp(self):
        super().setUp()
        self.visitor = self.colleague()
        self.page = self.visitor.page
        self.page.goto("/portal/planner")
        ready(self.page)

    def fill(self, group, brand, meters, county=COUNTY):
        fields = self.page.get_by_role("group", name=group, exact=True)
        fields.get_by_label("Brand", exact=True).fill(brand)
        fields.get_by_label("ithin", exact=False).fill(str(meters))
        fields.get_by_label("Unit").select_option("m")
        fields.get_by_label("County", exact=True).fill(county)
        return fields

    def places(self, brand):
        body = {"filter": {"brand": brand, "county_name": COUNTY}, "pagination": {"page_size": 1000}}
        found = self.service.done("POST", "/v2/msearch", body, key=self.key)["results"]
        return [place["location"] for place in found]

    def test_finds_displays_near_a_brands_places_but_not_near_anothers(self):
        with journey(self.page, "find displays near a brand's places and not near another's", most=10):
            self.page.get_by_role("button", name="Near places").click()
            self.fill("Near", "Starbucks", 500)
            self.fill("Not near", "Dunkin'", 200)
            self.assertEqual(axe.violations_in_all_looks(self.page), [])
            response = search(self.page)
        self.assertEqual(response.request.post_data_json["filter"], REQUEST)
        found = response.json()["results"]
        near, away = self.places("Starbucks"), self.places("Dunkin'")
        self.assertGreater(min(map(len, (found, near, away))), 20)
        for display in found:
            self.assertLess(nearest(display, near), 500 + ROUNDING)
            self.assertGreater(nearest(display, away), 200 - ROUNDING)
        self.page.get_by_role("button", name="Show the places on the map · 2 credits").click()
        expect(self.page.get_by_text(f"The map shows {len(near) + len(away)} places.")).to_be_visible()
        self.page.get_by_role("button", name=re.compile("500 m of Starbucks, not 200 m of Dunkin'")).wait_for()
        self.page.wait_for_url("**near=Starbucks**")
        self.page.reload()
        ready(self.page)
        self.assertEqual(search(self.page).request.post_data_json["filter"], REQUEST)

    def test_displays_are_ranked_by_the_index_of_an_audience(self):
        self.page.get_by_role("button", name="Keywords").click()
        self.page.get_by_label("Keywords", exact=True).fill("Broadway")
        self.page.get_by_role("button", name="Audience", exact=True).click()
        choose(self.page, "Rank by audience", "Adults 18-34")
        response = search(self.page)
        asked = response.request.post_data_json
        self.assertEqual(asked["service_segment_id"], YOUNG_ADULTS)
        self.assertEqual(asked["sort"], {"field": "index", "order": "desc"})
        indexes = [display["index"] for display in response.json()["results"]]
        self.assertEqual(indexes, sorted(indexes, reverse=True))
        self.assertGreater(indexes[0], indexes[-1])
        expect(rows(self.page).first.locator(".index")).to_have_text(f"Index {indexes[0]:g} modelled")
        expect(self.page.get_by_text("Index for Adults 18-34: at 100")).to_be_visible()
        self.assertEqual(axe.violations_in_all_looks(self.page), [])
        self.page.reload()
        ready(self.page)
        expect(self.page.get_by_role("button", name="Audience: Adults 18-34")).to_be_visible()
        self.assertEqual(search(self.page).request.post_data_json, asked)
        # Without the audience, the results are in the default order.
        self.page.get_by_role("button", name="Audience: Adults 18-34").click()
        self.page.get_by_role("button", name="Clear", exact=True).click()
        self.assertEqual(search(self.page).request.post_data_json["sort"], {"field": "id", "order": "asc"})
        expect(rows(self.page).first.locator(".index")).to_have_count(0)

    def test_errors_and_warnings_are_shown_at_the_fields(self):
        self.page.get_by_role("button", name="Near places").click()
        fields = self.fill("Near", "Starbucks", "", "")
        press = self.page.get_by_role("button", name="Search · 1 credit").click
        press()
        expect(fields.get_by_text("Must be a number greater than 0.")).to_be_visible()
        self.fill("Near", "Starbucks", 500, "")
        self.visitor.expect("status of 400")
        press()
        expect(self.page.get_by_role("button", name="Near places: 500 m of Starbucks – check")).to_be_visible()
        self.page.get_by_role("button", name="Near places").click()
        expect(fields.get_by_text("More than 5,000 places match.")).to_be_visible()
        self.fill("Near", "Starbuckz", 500)
        search(self.page)
        self.page.get_by_role("button", name="Near places").click()
        expect(fields.get_by_text("The current data has no places of this brand.")).to_be_visible()


def nearest(display, places):
    """Returns the distance in meters between a display and the nearest place."""
    longitude, latitude = display["location"]["geometry"]["coordinates"]
    return min(meters(latitude, longitude, place["lat"], place["lon"]) for place in places)


def meters(latitude, longitude, other_latitude, other_longitude):
    """Returns the great-circle distance between two points."""
    north, other_north = math.radians(latitude), math.radians(other_latitude)
    chord = math.sin((other_north - north) / 2) ** 2 + math.cos(north) * math.cos(other_north) * math.sin(
        math.radians(other_longitude - longitude) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(chord))
