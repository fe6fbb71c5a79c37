"""The campaign and event libraries: their lists, and the accessibility of all views."""

import re

from playwright.sync_api import expect

import axe
import keyboard
import people
from libraries import CAMPAIGNS, LibrariesTest
from people import create_event, measured


class ListsTest(LibrariesTest):
    def test_empty_library_links_to_the_planner(self):
        page = self.owner().page
        page.goto("/portal/campaigns")
        expect(page.get_by_role("heading", name="No campaigns yet")).to_be_visible()
        plan = page.get_by_role("link", name="Plan your first campaign")
        self.assertTrue(plan.get_attribute("href").endswith("/portal/planner"))

    def test_library_lists_assets_by_state_name_id_and_page(self):
        for number in range(27):
            customer = {**people.CAMPAIGN["customer"], "customer_scenario_id": f"own-{number}"}
            self.campaign(campaign={"name": f"Listed {number:02}"}, customer=customer)
        failed = self.campaign(campaign={"name": "Failing"})
        measured(self.service, "campaign", failed, "purchased", "failed")
        developer = self.colleague()
        page = developer.page
        page.goto("/portal/campaigns")
        rows = page.locator("tbody tr")
        expect(rows).to_have_count(25)
        used = "uses 2 calls. Used so far: 2 calls, 2 credits"
        expect(page.locator(".foot")).to_contain_text(used)
        expect(page.locator(".loaded")).to_contain_text("25 campaigns loaded; more available.")

        page.get_by_label("Filter loaded rows").fill("listed 25")
        expect(rows).to_have_count(1)
        expect(page.locator(".loaded")).to_contain_text("1 of 25 loaded campaigns. Others aren’t loaded")
        page.get_by_label("Filter loaded rows").fill("")

        page.get_by_role("button", name="Load more · 1 credit").click()
        total = self.service.done("GET", f"{CAMPAIGNS}/summary", key=self.key)["total"]
        expect(rows).to_have_count(total)
        expect(page.get_by_role("button", name="Load more")).to_have_count(0)

        page.get_by_role("link", name="Failed 1").click()
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("Failing")
        expect(page).to_have_url(re.compile(r"\?state=failed$"))
        page.get_by_role("link", name=re.compile("^All")).click()
        expect(rows).to_have_count(25)

        page.get_by_label("Name starts with").fill("listed 0")
        page.get_by_role("button", name="Find · 1 credit").click()
        expect(rows).to_have_count(10)
        page.reload()
        expect(rows).to_have_count(10)
        page.get_by_label("Name starts with").fill("")
        page.get_by_label("External ID").fill("own-3")
        page.get_by_role("button", name="Find · 1 credit").click()
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("Listed 03")
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").fill("listed 03")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Listed 03")


class AccessTest(LibrariesTest):
    def test_every_library_view_is_accessible(self):
        campaign, event = self.campaign(), create_event(self.service)
        self.campaign(spots=[{"display_id": "7", "spot_id": 1}])
        page = self.colleague().page
        page.goto("/portal/campaigns")
        expect(page.locator("tbody tr").first).to_be_visible()
        self.check(page, "campaigns")
        page.goto("/portal/events")
        expect(page.locator("tbody tr").first).to_be_visible()
        self.check(page, "events")
        self.open(page, campaign)
        expect(page.locator("canvas")).to_be_visible()
        self.check(page, "campaign")
        page.get_by_text("Developer", exact=True).click()
        self.check(page, "JSON")
        page.get_by_role("button", name="Edit", exact=True).click()
        page.get_by_role("combobox", name="Markets", exact=True).click()
        expect(page.get_by_role("option", name="people").first).to_be_visible()
        self.check(page, "campaign's form")
        self.open(page, event, "events")
        page.get_by_role("button", name="Edit", exact=True).click()
        self.check(page, "event's form")

    def check(self, page, what):
        with self.subTest(what):
            self.assertEqual(axe.violations_in_all_looks(page), [])
            for width in (360, 390, 1280, 2560):
                page.set_viewport_size({"width": width, "height": 900})
                wider = page.locator("main").evaluate("(main) => main.scrollWidth - main.clientWidth")
                self.assertLessEqual(wider, 0, f"at {width}")
            self.assertEqual(keyboard.faults(page), [])
