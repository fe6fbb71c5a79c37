"""Comparing two plans side by side."""

from playwright.sync_api import expect

import axe
from libraries import SPOTS, LibrariesTest
from people import create_campaign
from plans import fill_audience, search
from portal import ready

ESTIMATES = "/v2/measures/campaigns/estimate"


class ComparePlansTest(LibrariesTest):
    def setUp(self):
        super().setUp()
        self.page = self.colleague().page

    def row(self, name):
        rows = self.page.get_by_role("region", name="The two plans").get_by_role("row")
        return rows.filter(has=self.page.get_by_role("cell", name=name, exact=True)).get_by_role("cell")

    def test_plan_is_compared_with_a_saved_campaign(self):
        asset_id = create_campaign(self.service, campaign={"name": "Two kiosks"}, spots=SPOTS)
        self.page.goto("/portal/planner?county_name=Brooklyn&digital=true")
        ready(self.page)
        search(self.page)
        self.page.get_by_role("button", name="Add all").click()
        fill_audience(self.page)
        self.page.get_by_role("link", name="Compare", exact=True).click()
        self.page.get_by_label("Compare with").select_option("Two kiosks")
        expect(self.row("Displays")).to_have_text(["Displays", "334", "2", "+332 (+16,600.0%)"])
        expect(self.row("Only in this plan")).to_have_text(["Only in this plan", "334", "2", ""])
        expect(self.row("Reach")).to_have_text(["Reach", "–", "–", "–"])
        self.page.get_by_role("button", name="Estimate both · 10 credits").click()
        totals = self.service.done("POST", ESTIMATES, {"asset_id": asset_id}, key=self.key)["totals"]
        expect(self.row("Reach").nth(2)).to_have_text(f"{totals['reach']:,}")
        expect(self.row("Reach").nth(3)).to_contain_text("+")
        expect(self.page.get_by_text("Estimated with a model, not measured")).to_be_visible()
        expect(self.page.get_by_role("button", name="Estimate")).to_have_count(0)
        self.assertEqual(axe.violations_in_all_looks(self.page), [])

    def test_unsaved_changes_are_compared_with_the_saved_campaign(self):
        asset_id = create_campaign(self.service, campaign={"name": "Two kiosks"}, spots=SPOTS)
        self.open(self.page, asset_id)
        self.page.get_by_role("link", name="Edit on the map").click()
        self.page.get_by_role("button", name="Remove 2 displays in New York").click()
        self.page.get_by_role("link", name="Compare with the saved campaign").click()
        plan = self.page.get_by_role("combobox", name="Plan", exact=True)
        expect(plan).to_contain_text("Unsaved changes to Two kiosks")
        expect(self.row("Displays")).to_have_text(["Displays", "0", "2", "-2 (-100.0%)"])
        self.page.reload()
        expect(self.row("Displays").nth(1)).to_have_text("0")
        self.page.get_by_role("button", name="Estimate both").click()
        expect(self.page.get_by_role("alert")).to_contain_text("Select at least one display.")

    def test_missing_plan_is_explained(self):
        self.page.goto(f"/portal/compare?with={create_campaign(self.service)}")
        ready(self.page)
        expect(self.page.get_by_text("One of the plans isn’t stored in this browser.")).to_be_visible()
