"""Helpers for tests that open every page in the portal's table of pages."""

import re

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


class EveryPageTest(PortalTest):
    """The base class for tests that open all of the portal's pages."""

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

    def on_each_page(self, *checks):
        """Opens every page once and runs all checks, even if some of them fail."""
        page = first_page(self.colleague())
        for address, row in list(self.addresses(page)):
            page.set_viewport_size(SIZE)
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
            page.goto(address)
            for check in checks:
                with self.subTest(address, check=check.__name__):
                    ready(page)
                    check(page, row)
