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
            footer = page.get_by_role("contentinfo")
            calls = re.search(r"opens with (\d+) counted call", footer.inner_text())[1]
            expect(footer).to_contain_text(re.compile(rf"So far: {calls} counted call"))
            # None comes after those, either.
            page.wait_for_load_state("networkidle")
            expect(footer).to_contain_text(re.compile(rf"So far: {calls} counted call"))

        self.on_each_page(check)

    def test_an_address_that_tells_what_is_opened_tells_its_calls(self):
        page = self.colleague().page
        cases = [("campaigns/:id", [3, 3, 3]), ("places/:id", [2, 3, 2]), ("places", [1, 1]),
                 ("event-planner", [1, 2, 1])]
        for path, calls in cases:
            of_path = [address for address, row in self.addresses(page) if row["path"] == path]
            for address, expected in zip(of_path, calls, strict=True):
                with self.subTest(address):
                    page.goto(address)
                    ready(page)
                    footer = page.get_by_role("contentinfo")
                    expect(footer).to_contain_text(re.compile(rf"opens with {expected} counted calls?"))

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
