"""Requirements for all of the portal's pages: announced calls, titles, widths, and accessibility."""

import re

from playwright.sync_api import expect

import axe
import keyboard
from people import CAMPAIGN, COFFEE_SHOP, create_campaign, create_event, create_grants
from portal import PortalTest, first_page, in_module, ready

SIZE = {"width": 1280, "height": 900}
NOT_WITHOUT_MORE = {
    # The first page requires an invitation token, and the second a sign-out. Other tests cover both.
    "invitation", "signed-out",
}
# Market types for test campaigns: several types together, and types whose names aren't loaded as a list.
MARKETS = [("DMA", "CBSA", "STATE"), ("ZIP", "COUNTY")]
PAGES = "({ PAGES }) => PAGES.map(({ path, title, isPublic }) => ({ path, title, isPublic }))"
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


class PagesTest(PortalTest):
    logs_network = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        create_grants(cls.service)
        wanted = {"filter": {"city": "Seattle", "place_type_name": "Coffee Shop"}}
        found = cls.service.done("POST", "/v2/msearch", wanted, key=cls.service.credentials["enterprise_key"])
        ids = [place["place_id"] for place in found["results"]]
        other = next(id for id in ids if id != COFFEE_SHOP)
        cls.values = {
            "campaigns/:id": [create_campaign(cls.service), *map(cls.campaign_in, MARKETS)],
            "events/:id": [create_event(cls.service)],
            "planner/:id": [create_campaign(cls.service)],
            "compare": ["", f"?with={create_campaign(cls.service)}"],
            "places/:id": [COFFEE_SHOP, f"{COFFEE_SHOP}?with={other}", f"{COFFEE_SHOP}?with={COFFEE_SHOP}"],
            "places": ["", "?name=starbucks&city=Seattle"],
            "shared": [cls.client_link()],
            "event-planner": ["", f"?places={COFFEE_SHOP}", "?city=Seattle"],
        }

    @classmethod
    def client_link(cls):
        """Creates a client link, and returns its address's fragment."""
        links = f"/v2/scenarios/campaigns/{create_campaign(cls.service)}/links"
        key = cls.service.credentials["enterprise_key"]
        new = cls.service.done("POST", links, {"expires_in_days": 1}, key=key)
        return "#" + new["url"].partition("#")[2]

    @classmethod
    def campaign_in(cls, types):
        """Creates a campaign in the most populous market of each type, and returns its ID."""
        ids = []
        for type in types:
            query = f"geography_type={type}&sort=population&direction=desc&limit=1"
            key = cls.service.credentials["enterprise_key"]
            [market] = cls.service.done("GET", f"/v2/markets?{query}", key=key)
            ids.append(market["market_id"])
        return create_campaign(cls.service, cohort={**CAMPAIGN["cohort"], "geography_ids": ids})

    def addresses(self, page):
        """Yields the addresses of each page, each with the page's row in the table.

        `values` contains parameters and query strings for some paths.
        """
        for row in in_module(page, "routes.js", PAGES):
            path = row["path"]
            if path in NOT_WITHOUT_MORE:
                continue
            for value in self.values.get(path, [""]):
                yield "/portal/" + re.sub("(:[a-z]+)?$", value, path, count=1), row

    def test_every_page_meets_the_common_requirements(self):
        checks = [self.page_makes_exactly_the_announced_calls,
                  self.first_tab_stop_skips_to_the_content,
                  self.page_has_a_title_one_h1_and_landmarks,
                  self.page_has_no_horizontal_scrolling,
                  self.tab_key_reaches_every_control_with_visible_focus,
                  self.axe_finds_no_violations_in_any_look]
        page = first_page(self.colleague())
        for address, row in list(self.addresses(page)):
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
            page.goto(address)
            for check in checks:
                with self.subTest(address, check=check.__name__):
                    page.set_viewport_size(SIZE)
                    ready(page)
                    check(page, row)

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

    def tab_key_reaches_every_control_with_visible_focus(self, page, _):
        self.assertEqual(keyboard.faults(page), [])

    def axe_finds_no_violations_in_any_look(self, page, _):
        self.assertEqual(axe.violations_in_all_looks(page), [])
        for violation in axe.foreign_violations(page):
            print(f"third-party: {violation.partition(chr(10))[0]}")

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
