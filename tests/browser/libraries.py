"""Helpers for tests of the libraries with assets in the developer's organization."""

import urllib.parse

from people import create_campaign
from portal import PortalTest, ready

DISPLAY, OTHER_DISPLAY = "10528839", "10170598"
WINDOW = {"start_date": "2027-04-05", "end_date": "2027-04-18"}
SPOTS = [{"display_id": DISPLAY, "spot_id": 1, "windows": [WINDOW]},
         {"display_id": OTHER_DISPLAY, "spot_id": 2}]
CAMPAIGNS, EVENTS = "/v2/scenarios/campaigns", "/v2/scenarios/events"
# Matches console messages about 4xx responses, which these tests cause on purpose.
REFUSED = "status of 4.."


class LibrariesTest(PortalTest):
    """The base class for tests that use assets in the developer's organization."""

    def campaign(self, **changes):
        return create_campaign(self.service, **{"spots": SPOTS, **changes})

    def read(self, asset_id, path=CAMPAIGNS):
        return self.service.done("GET", f"{path}/{asset_id}", key=self.key)

    def named(self, name):
        return self.service.done("GET", f"{CAMPAIGNS}?name={urllib.parse.quote(name)}", key=self.key)

    def open(self, page, asset_id, many="campaigns"):
        page.goto(f"/portal/{many}/{asset_id}")
        ready(page)
