"""What holds for every page of the portal: its title, its price, and its width."""

import re

from playwright.sync_api import expect

import axe
from every_page import EveryPageTest
from portal import ready

# The widths of a small telephone, of two others, of a screen at 200 %, and of a very wide one.
WIDTHS = [360, 390, 640, 1280, 2560]
# Those at which the bar changes, too; 320 is what 1,280 pixels are at 400 %.
BAR_WIDTHS = [320, 360, 390, 480, 720, 721, 1180, 1181, 1280, 1480, 1481, 1920, 2560]
FILL_METER = """() => {
  const [credits, calls] = document.querySelectorAll('.meter span');
  credits.textContent = '1,000,000 credits';
  calls.textContent = '1,000 calls left';
}"""
# How much too wide the page is, how much of the links is out of sight, and how high the bar is.
BAR = """() => {
  const bar = document.querySelector('.bar');
  const links = bar.querySelector('nav');
  return {
    wider: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    scrolled: links.scrollWidth - links.clientWidth,
    height: bar.offsetHeight,
  };
}"""
HEADINGS = f"() => [...document.querySelectorAll('h1')].filter((own) => !own.closest('{axe.FOREIGN}')).length"


class PagesTest(EveryPageTest):
    def test_every_page_holds_what_all_pages_promise(self):
        self.on_each_page(self.it_says_its_counted_calls_and_makes_just_so_many,
                          self.the_first_tab_leads_past_the_bar,
                          self.it_has_its_title_one_heading_of_the_first_order_and_landmarks,
                          self.it_does_not_scroll_sideways_from_360_to_2560_pixels)

    def it_says_its_counted_calls_and_makes_just_so_many(self, page, row):
        # Whoever reads the documents need not sign in, and pays nothing.
        if row["isPublic"]:
            return
        footer = page.get_by_role("contentinfo")
        calls = re.search(r"page uses (\d+) call", footer.inner_text())[1]
        expect(footer).to_contain_text(re.compile(rf"Used so far: {calls} call"))
        # None comes after those, either.
        page.wait_for_load_state("networkidle")
        expect(footer).to_contain_text(re.compile(rf"Used so far: {calls} call"))

    def the_first_tab_leads_past_the_bar(self, page, _):
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_role("main").first).to_be_focused()

    def it_has_its_title_one_heading_of_the_first_order_and_landmarks(self, page, row):
        # What is shown gives its name to a page that shows different things.
        name = ".+" if ":" in row["path"] else re.escape(row["title"])
        expect(page).to_have_title(re.compile(f"^{name} – Marquee$"))
        self.assertEqual(page.evaluate(HEADINGS), 1)
        for landmark in ("banner", "navigation", "main"):
            self.assertGreaterEqual(page.get_by_role(landmark).count(), 1, landmark)

    def it_does_not_scroll_sideways_from_360_to_2560_pixels(self, page, _):
        wider = {}
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            axe.settle(page)
            wider[width] = page.evaluate("document.documentElement.scrollWidth") - width
        self.assertEqual({width: more for width, more in wider.items() if more > 0}, {})

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
                    expect(footer).to_contain_text(re.compile(rf"page uses {expected} calls?"))


    def test_the_bar_stays_in_one_line_with_the_largest_numbers_from_320_to_2560_pixels(self):
        page = self.colleague().page
        page.goto("/portal/audiences")
        expect(page.locator(".meter span")).to_have_count(2)
        page.evaluate(FILL_METER)
        for width in BAR_WIDTHS:
            with self.subTest(width):
                page.set_viewport_size({"width": width, "height": 800})
                axe.settle(page)
                self.assertEqual(page.evaluate(BAR), {"wider": 0, "scrolled": 0, "height": 48})

    def test_an_address_that_no_page_has_says_so(self):
        page = self.colleague().page
        page.goto("/portal/nothing-of-this-name")
        expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
        self.assertEqual(axe.violations(page), [])
