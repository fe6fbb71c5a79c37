"""What holds for every page of the portal, by its own table of pages."""

import re

from playwright.sync_api import expect

import axe
import keyboard
from people import COFFEE_SHOP, create_campaign, create_event, mint_grants
from portal import PortalTest, ready

# The widths of a small telephone, of two others, of a screen at 200 %, and of a very wide one.
WIDTHS = [360, 390, 640, 1280, 2560]
NOT_WITHOUT_MORE = {
    # It needs the token of an invitation, and a sign-out: both have tests of their own.
    "invitation", "signed-out",
}
PAGES = """async () => {
  const main = document.querySelector('script[type=module][src]').src;
  const { PAGES } = await import(new URL('routes.js', main));
  return PAGES.map(({ path, title, opensWith, isPublic }) => ({ path, title, opensWith, isPublic }));
}"""
HEADINGS = f"() => [...document.querySelectorAll('h1')].filter((own) => !own.closest('{axe.FOREIGN}')).length"


class PagesTest(PortalTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        mint_grants(cls.service)
        cls.values = {
            "campaigns/:id": [create_campaign(cls.service)],
            "events/:id": [create_event(cls.service)],
            "places/:id": [COFFEE_SHOP],
            "docs/:name": ["errors", "workflows"],
        }

    def addresses(self, page):
        """The address of each page of the table, with its row; a path with a parameter has a value above."""
        for row in page.evaluate(PAGES):
            path = row["path"]
            if path in NOT_WITHOUT_MORE:
                continue
            values = self.values[path] if ":" in path else [None]
            for value in values:
                yield "/portal/" + (re.sub(":[a-z]+$", value, path) if value else path), row

    def on_each_page(self, check):
        """Opens every page in turn; one that fails keeps none of the others from being checked."""
        page = self.colleague().page
        for address, row in list(self.addresses(page)):
            with self.subTest(address):
                page.goto(address)
                ready(page)
                check(page, row)

    def test_every_page_has_its_title_one_heading_of_the_first_order_and_landmarks(self):
        def check(page, row):
            # What is shown gives its name to a page that shows different things.
            name = ".+" if ":" in row["path"] else re.escape(row["title"])
            expect(page).to_have_title(re.compile(f"^{name} – Marquee$"))
            self.assertEqual(page.evaluate(HEADINGS), 1)
            for landmark in ("banner", "navigation", "main"):
                self.assertGreaterEqual(page.get_by_role(landmark).count(), 1, landmark)

        self.on_each_page(check)

    def test_every_page_says_how_many_counted_calls_it_opens_with_and_makes_just_so_many(self):
        def check(page, row):
            # Whoever reads the documents need not sign in, and pays nothing.
            if row["isPublic"]:
                return
            footer = page.get_by_role("contentinfo")
            expect(footer).to_contain_text(re.compile(rf"opens with {row['opensWith']} counted call"))
            expect(footer).to_contain_text(re.compile(rf"So far: {row['opensWith']} counted call"))

        self.on_each_page(check)

    def test_no_page_breaks_a_rule_of_accessibility_light_or_dark_wide_or_narrow(self):
        def check(page, _):
            self.assertEqual(axe.violations_in_all_looks(page), [])
            for violation in axe.foreign_violations(page):
                print(f"not ours: {violation.partition(chr(10))[0]}")

        self.on_each_page(check)

    def test_the_tab_key_reaches_every_control_of_every_page_and_shows_where_it_is(self):
        self.on_each_page(lambda page, _: self.assertEqual(keyboard.faults(page), []))

    def test_the_first_tab_leads_past_the_bar(self):
        def check(page, _):
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            expect(page.get_by_role("main").first).to_be_focused()

        self.on_each_page(check)

    def test_no_page_scrolls_sideways_from_360_to_2560_pixels(self):
        def check(page, _):
            wider = {}
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                axe.settle(page)
                wider[width] = page.evaluate("document.documentElement.scrollWidth") - width
            self.assertEqual({width: more for width, more in wider.items() if more > 0}, {})

        self.on_each_page(check)

    def test_an_address_that_no_page_has_says_so(self):
        page = self.colleague().page
        page.goto("/portal/nothing-of-this-name")
        expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")
        self.assertEqual(axe.violations(page), [])
