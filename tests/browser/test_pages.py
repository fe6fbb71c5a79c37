"""What holds for every page of the portal: its title, its price, and its width."""

import re

from playwright.sync_api import expect

import axe
from every_page import EveryPageTest
from portal import ready

# The widths of a small telephone, of two others, of a screen at 200 %, and of a very wide one.
WIDTHS = [360, 390, 640, 1280, 2560]
HEADINGS = f"() => [...document.querySelectorAll('h1')].filter((own) => !own.closest('{axe.FOREIGN}')).length"


class PagesTest(EveryPageTest):
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
            calls = re.search(r"opens with (\d+) counted call", page.get_by_role("contentinfo").inner_text())[1]
            self.opened_with(page, calls)

        self.on_each_page(check)

    def test_addresses_that_bring_something_along_say_and_make_just_so_many_counted_calls(self):
        page = self.colleague().page
        for address, calls in self.further.items():
            with self.subTest(address):
                page.goto(f"/portal/{address}")
                ready(page)
                self.opened_with(page, calls)

    def opened_with(self, page, calls):
        """The page says so many calls, and has made them, and none after those."""
        said = re.compile(rf"opens with {calls} counted call.* So far: {calls} counted call", re.DOTALL)
        footer = page.get_by_role("contentinfo")
        expect(footer).to_contain_text(said)
        page.wait_for_load_state("networkidle")
        expect(footer).to_contain_text(said)

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
