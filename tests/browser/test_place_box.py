"""The search box above the planner's map, and the displays' popups."""

import re

from playwright.sync_api import expect

import axe
from journeys import journey
from plans import search
from portal import PortalTest, ready

DISPLAY = "10528839"
ABOUT_DISPLAY = re.compile("1626 BROADWAY · faces S · 10528839 · 4 × 2.3 ft")


class PlaceBoxTest(PortalTest):
    def setUp(self):
        self.visitor = self.colleague()
        self.page = self.visitor.page
        self.page.goto("/portal/planner")
        ready(self.page)
        self.box = self.page.get_by_label("Find on the map")

    def moved_to(self, latitude, longitude):
        """Waits until the map center in the address is near a point."""
        at = re.compile(rf"#at=[\d.]+/{re.escape(latitude)}\d*/{re.escape(longitude)}\d*$")
        self.page.wait_for_url(at)

    def test_area_moves_the_map_and_sets_its_filter_without_a_search(self):
        self.box.press_sequentially("brooklyn")
        expect(self.page.get_by_role("option").first).to_contain_text("Brooklyn, NY borough")
        self.box.press("Enter")
        self.moved_to("40.65", "-73.95")
        expect(self.page.get_by_role("button", name="Location: Brooklyn")).to_be_visible()
        # One request loads all names with the same initial.
        self.assertEqual(self.visitor.asked("GET /v2/basemap/gazetteer"), 1)
        self.assertEqual(self.visitor.asked("msearch"), 0)
        # Another place replaces the filter.
        self.box.fill("10001")
        self.page.get_by_role("option", name="10001 New York, NY").click()
        expect(self.page.get_by_role("button", name="Location: 10001")).to_be_visible()

    def test_displays_within_500_m_of_a_place_are_found(self):
        with journey(self.page, "find Times Square and the displays within 500 m", most=8):
            self.box.fill("Times Square")
            self.page.get_by_role("button", name="Search places for “Times Square” · 1 credit").click()
            self.page.get_by_role("option", name="Times Sq-42 St").click()
            self.moved_to("40.755", "-73.987")
            self.page.get_by_role("button", name="Area", exact=True).click()
            self.page.get_by_role("radio", name="Circle").check()
            self.page.get_by_label("Radius").fill("500")
            self.page.get_by_label("Unit", exact=True).select_option("m")
            asked = search(self.page).request.post_data_json["filter"]
        self.assertEqual([*asked], ["geo_distance"])
        self.assertEqual(asked["geo_distance"]["distance"], "500m")
        self.assertAlmostEqual(asked["geo_distance"]["lat"], 40.7557, places=3)

    def test_coordinates_and_display_ids_are_found(self):
        self.box.fill("40.7608, -73.9842")
        self.box.press("Enter")
        self.moved_to("40.760", "-73.984")
        self.box.fill("4294967295")
        self.box.press("Enter")
        expect(self.page.get_by_role("alert")).to_contain_text("contains no display 4294967295")
        self.box.fill(DISPLAY)
        with self.page.expect_response("**/v2/displays/lookup"):
            self.page.get_by_role("option", name=f"Display {DISPLAY} free").click()
        self.assertEqual(axe.violations_in_all_looks(self.page), [])

    def test_popup_shows_address_and_size_and_closes_with_new_results(self):
        # The open page's map could still move to its first view, which would replace the fragment.
        self.page.goto("about:blank")
        self.page.goto("/portal/planner#at=17/40.760883/-73.984277")
        ready(self.page)
        self.page.locator(".around summary").click()
        self.page.locator(".around").get_by_role("button", name=f"Panel {DISPLAY}").click()
        popup = self.page.locator(".told")
        expect(popup).to_contain_text(ABOUT_DISPLAY)
        popup.get_by_role("button", name="Add to plan").click()
        expect(self.page.get_by_role("button", name="New York 1", exact=True)).to_be_visible()
        self.page.get_by_role("button", name="Digital", exact=True).click()
        search(self.page)
        expect(popup).to_have_count(0)

    def test_typed_area_moves_the_map(self):
        self.page.goto("/portal/planner?shape=circle&lat=40.758&lon=-73.98&radius=1&unit=mi")
        ready(self.page)
        self.moved_to("40.7", "-73.9")
