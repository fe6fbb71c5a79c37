"""Requirements for all of the portal's pages: their titles, announced calls, and widths."""

import re

from playwright.sync_api import expect

import axe
from every_page import EveryPageTest
from portal import first_page, ready

# The widths of two phones, a 1,280-pixel screen at 200% and 100% zoom, and a very wide screen, in pixels.
WIDTHS = [360, 390, 640, 1280, 2560]
# These include the widths where the bar changes, and 320 pixels: a 1,280-pixel screen at 400% zoom.
BAR_WIDTHS = [320, 360, 390, 480, 720, 721, 1180, 1181, 1280, 1480, 1481, 1920, 2560]
FILL_METER = """() => {
  const [credits, calls] = document.querySelectorAll('.meter span');
  credits.textContent = '1,000,000 credits';
  calls.textContent = '1,000 calls left';
}"""
# Returns by how much the page and the bar's links overflow, and the height of the bar.
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
    logs_network = True

    def test_every_page_meets_the_common_requirements(self):
        self.on_each_page(self.page_makes_exactly_the_announced_calls,
                          self.first_tab_stop_skips_to_the_content,
                          self.page_has_a_title_one_h1_and_landmarks,
                          self.page_has_no_horizontal_scrolling)

    def page_makes_exactly_the_announced_calls(self, page, row):
        # Public pages don't require signing in, and don't make calls.
        if row["isPublic"]:
            return
        footer = page.get_by_role("contentinfo")
        calls = re.search(r"page uses (\d+) call", footer.inner_text())[1]
        expect(footer).to_contain_text(re.compile(rf"Used so far: {calls} call"))
        # The page doesn't make more calls later.
        page.wait_for_load_state("networkidle")
        expect(footer).to_contain_text(re.compile(rf"Used so far: {calls} call"))

    def first_tab_stop_skips_to_the_content(self, page, _):
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_role("main").first).to_be_focused()

    def page_has_a_title_one_h1_and_landmarks(self, page, row):
        # A page with a parameter or a token has its content's name as its title.
        name = ".+" if ":" in row["path"] or row["path"] == "shared" else re.escape(row["title"])
        expect(page).to_have_title(re.compile(f"^{name} – Marquee$"))
        self.assertEqual(page.evaluate(HEADINGS), 1)
        for landmark in ("banner", "navigation", "main"):
            self.assertGreaterEqual(page.get_by_role(landmark).count(), 1, landmark)

    def page_has_no_horizontal_scrolling(self, page, _):
        wider = {}
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            axe.settle(page)
            wider[width] = page.evaluate("document.documentElement.scrollWidth") - width
        self.assertEqual({width: more for width, more in wider.items() if more > 0}, {})

    def test_announced_calls_depend_on_the_address(self):
        page = first_page(self.colleague())
        cases = [("campaigns/:id", [5, 5, 5]), ("compare", [1, 2]), ("places/:id", [2, 3, 2]), ("places", [1, 1]),
                 ("event-planner", [1, 2, 1])]
        for path, calls in cases:
            of_path = [address for address, row in self.addresses(page) if row["path"] == path]
            for address, expected in zip(of_path, calls, strict=True):
                with self.subTest(address):
                    page.goto(address)
                    ready(page)
                    footer = page.get_by_role("contentinfo")
                    expect(footer).to_contain_text(re.compile(rf"page uses {expected} calls?"))

    def test_bar_fits_on_one_line_with_large_numbers_at_all_widths(self):
        page = self.colleague().page
        page.goto("/portal/audiences")
        expect(page.locator(".meter span")).to_have_count(2)
        page.evaluate(FILL_METER)
        for width in BAR_WIDTHS:
            with self.subTest(width):
                page.set_viewport_size({"width": width, "height": 800})
                axe.settle(page)
                self.assertEqual(page.evaluate(BAR), {"wider": 0, "scrolled": 0, "height": 48})

    def test_unknown_address_shows_page_not_found(self):
        page = self.colleague().page
        page.goto("/portal/nothing-of-this-name")
        expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
        self.assertEqual(axe.violations(page), [])
