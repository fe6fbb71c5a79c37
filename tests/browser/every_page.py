"""Goes through every page of the portal, by its own table of pages."""

import re

from people import COFFEE_SHOP, create_campaign, create_event, mint_grants
from portal import PortalTest, in_module, ready

SIZE = {"width": 1280, "height": 900}
NOT_WITHOUT_MORE = {
    # It needs the token of an invitation, and a sign-out: both have tests of their own.
    "invitation", "signed-out",
}
PAGES = """({ PAGES }) =>
  PAGES.map(({ path, title, opensWith, isPublic }) => ({ path, title, opensWith, isPublic }))"""


class EveryPageTest(PortalTest):
    """Tests that go through all pages."""

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
        for row in in_module(page, "routes.js", PAGES):
            path = row["path"]
            if path in NOT_WITHOUT_MORE:
                continue
            values = self.values[path] if ":" in path else [None]
            for value in values:
                yield "/portal/" + (re.sub(":[a-z]+$", value, path) if value else path), row

    def on_each_page(self, *checks):
        """Opens every page once; a check that fails keeps none of the others from being made."""
        page = self.colleague().page
        for address, row in list(self.addresses(page)):
            page.set_viewport_size(SIZE)
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
            page.goto(address)
            for check in checks:
                with self.subTest(address, check=check.__name__):
                    ready(page)
                    check(page, row)
