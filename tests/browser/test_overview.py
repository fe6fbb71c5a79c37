"""The overview page: an organization's credits and its next steps. The page makes only free calls."""

import datetime
import re

from playwright.sync_api import expect

import axe
import keyboard
from people import create_campaign, create_event
from portal import PortalTest, first_page, ready

# A new organization's credits.
FIRST_CREDITS = 2000


class OverviewTest(PortalTest):
    def number(self, page, name):
        card = page.locator(".key-numbers > div").filter(has=page.get_by_text(name, exact=True))
        return card.locator("dd").first

    def test_new_organization_sees_its_credits_and_next_steps(self):
        page = self.person().page
        expect(self.number(page, "Credits left")).to_have_text(f"{FIRST_CREDITS:,}")
        expect(self.number(page, "Used this month")).to_have_text("0")
        grants = page.get_by_role("region", name="Grants")
        expect(grants).to_contain_text("Allocated 2,000 of 2,000 left")
        ends = datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=60)
        expect(grants).to_contain_text(f"Expires on {ends:%b} {ends.day}, {ends.year}")
        expect(grants).to_contain_text(re.compile("2,000 allocated credits will expire unused"))
        steps = page.get_by_role("region", name="Next steps")
        for name, address in [("Create a key", "keys"), ("Plan your first campaign", "planner")]:
            expect(steps.get_by_role("link", name=name)).to_have_attribute("href", f"/portal/{address}")
        self.assertEqual(axe.violations_in_all_looks(page), [])
        self.assertEqual(keyboard.faults(page), [])

    def test_overview_opens_with_at_most_four_account_calls(self):
        person = self.owner()
        person.page.goto("about:blank")
        before = len(person.requests)
        person.page.goto("/portal/")
        ready(person.page)
        asked = [url for _, url in person.requests[before:] if "/v2/" in url]
        self.assertLessEqual(len(asked), 4, asked)
        self.assertTrue(all("/v2/account" in url or "/v2/billing" in url for url in asked), asked)

    def test_pages_without_counted_calls_show_the_full_limit(self):
        page = self.person().page
        limit = 10
        for address in ("", "keys", "usage", "team", "start"):
            with self.subTest(address):
                page.goto(f"/portal/{address}")
                left = page.locator(".meter").get_by_text(f"{limit} calls left", exact=True)
                expect(left).to_be_visible()

    def test_latest_assets_load_on_request_for_2_credits(self):
        create_campaign(self.service)
        create_event(self.service)
        page = first_page(self.colleague())
        newest = page.get_by_role("region", name="Latest campaigns and events")
        newest.get_by_role("button", name="Show latest · 2 credits").click()
        for name, folder in [("Spring launch", "campaigns"), ("Summer concerts", "events")]:
            link = newest.get_by_role("link", name=name)
            expect(link).to_have_attribute("href", re.compile(f"/portal/{folder}/"))
        expect(newest.get_by_role("row").nth(1)).to_contain_text("Summer concerts")
        expect(page.get_by_role("contentinfo")).to_contain_text("Used so far: 2 calls, 2 credits")
        self.assertEqual(axe.violations_in_all_looks(page), [])
