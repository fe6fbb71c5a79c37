"""Goes through every page of the portal, by its own table of pages."""

import re

from people import CAMPAIGN, COFFEE_SHOP, create_campaign, create_event, mint_grants
from portal import PortalTest, ready

NOT_WITHOUT_MORE = {
    # It needs the token of an invitation, and a sign-out: both have tests of their own.
    "invitation", "signed-out",
}
# Kinds of markets that a campaign's page has to name: many at once, and those without a list of their own.
MARKETS = [("DMA", "CBSA", "STATE"), ("ZIP", "COUNTY")]
PAGES = """async () => {
  const main = document.querySelector('script[type=module][src]').src;
  const { PAGES } = await import(new URL('routes.js', main));
  return PAGES.map(({ path, title, isPublic }) => ({ path, title, isPublic }));
}"""


class EveryPageTest(PortalTest):
    """Tests that go through all pages."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        mint_grants(cls.service)
        wanted = {"filter": {"city": "Seattle", "place_type_name": "Coffee Shop"}}
        found = cls.service.done("POST", "/v2/msearch", wanted, key=cls.service.credentials["enterprise_key"])
        ids = [place["place_id"] for place in found["results"]]
        other = next(id for id in ids if id != COFFEE_SHOP)
        cls.values = {
            "campaigns/:id": [create_campaign(cls.service)],
            "events/:id": [create_event(cls.service)],
            "places/:id": [COFFEE_SHOP],
            "docs/:name": ["errors", "workflows"],
        }
        # Further addresses, with the counted calls that their pages open with.
        cls.further = {
            **{f"campaigns/{cls.campaign_in(types)}": 3 for types in MARKETS},
            f"places/{COFFEE_SHOP}?with={other}": 3,
            f"places/{COFFEE_SHOP}?with={COFFEE_SHOP}": 2,
            "places?name=starbucks&city=Seattle": 1,
            f"event-planner?places={COFFEE_SHOP}": 2,
            "event-planner?city=Seattle": 1,
        }

    @classmethod
    def campaign_in(cls, types):
        """The id of a new campaign for the most populous market of each of these types."""
        ids = []
        for type in types:
            query = f"geography_type={type}&sort=population&direction=desc&limit=1"
            key = cls.service.credentials["enterprise_key"]
            [market] = cls.service.done("GET", f"/v2/markets?{query}", key=key)
            ids.append(market["market_id"])
        return create_campaign(cls.service, cohort={**CAMPAIGN["cohort"], "geography_ids": ids})

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
