"""Code that the tests share: clients of the running service, and calls that several workflows make."""

import json
import os
import pathlib
import subprocess
import unittest
from collections.abc import Sequence
from typing import Any

from calls import given, search_gateway, service, succeeded
from marquee_client.api.audiences import read_population_at_home, search_cohorts
from marquee_client.api.billing import read_credits
from marquee_client.api.inventory import search_inventory
from marquee_client.api.places import report_places, search_places
from marquee_client.models import (
    CampaignAssetCreateRequest,
    CampaignCohortInput,
    CampaignCustomerInput,
    CampaignFlightInput,
    CampaignRefInput,
    CampaignSpotInput,
    CohortSearchReply,
    CohortSearchRequest,
    CreditsReply,
    FoundPlace,
    InventorySearchReply,
    InventorySearchRequest,
    PlaceFilter,
    PlacePage,
    PlaceReportReply,
    PlaceReportRequest,
    PlaceSearchReply,
    PlaceSearchRequest,
    PopulationAtHomeReply,
    PopulationAtHomeRequest,
)

DATA = pathlib.Path(os.environ["MARQUEE_DATA"])
PROGRAM = os.environ["MARQUEE"]
CREDENTIALS: dict[str, str] = json.loads((DATA / "credentials.json").read_text())


class WorkflowTest(unittest.TestCase):
    """Makes calls for the enterprise organization. `cost` returns the credits that the test has used."""

    def setUp(self) -> None:
        self.client = service(CREDENTIALS["base_url"], CREDENTIALS["enterprise_key"])
        self.search = search_gateway(CREDENTIALS["search_url"], CREDENTIALS["enterprise_key"])
        self.addCleanup(lambda: self.client.get_httpx_client().close())
        self.addCleanup(lambda: self.search.get_httpx_client().close())
        self.spent_before = self.spent()

    def spent(self) -> int:
        return succeeded(read_credits.sync_detailed(client=self.client), CreditsReply).data.credits_used

    def cost(self) -> int:
        return self.spent() - self.spent_before

    def places(self, chosen: PlaceFilter, page_size: int = 50) -> list[FoundPlace]:
        body = PlaceSearchRequest(filter_=chosen, pagination=PlacePage(page_size=page_size))
        return succeeded(
            search_places.sync_detailed(client=self.client, body=body), PlaceSearchReply
        ).data.results

    def report(self, places: Sequence[FoundPlace]) -> PlaceReportReply:
        body = PlaceReportRequest(place_id=[given(place.place_id) for place in places])
        answer = report_places.sync_detailed(client=self.client, body=body)
        return succeeded(answer, PlaceReportReply)

    def cohort(self, text: str) -> str:
        body = CohortSearchRequest(service_data_product_name="Population At Home", search_text=text)
        reply = succeeded(search_cohorts.sync_detailed(client=self.client, body=body), CohortSearchReply)
        return str(reply.cohorts[0].service_segment_id)

    def markets_of(self, cohort: str) -> PopulationAtHomeReply:
        body = PopulationAtHomeRequest(service_segment_id=cohort, geography_type=["DMA"])
        return succeeded(
            read_population_at_home.sync_detailed(client=self.client, body=body), PopulationAtHomeReply
        )

    def displays(self, body: InventorySearchRequest) -> InventorySearchReply:
        return succeeded(search_inventory.sync_detailed(client=self.search, body=body), InventorySearchReply)


def campaign(
    name: str, spots: Sequence[int], market: str, cohort: str, everyone: str
) -> CampaignAssetCreateRequest:
    """Returns a campaign on the given displays. The spots are numbered from 1."""
    return CampaignAssetCreateRequest(
        campaign=CampaignRefInput(name=name),
        flight=CampaignFlightInput.from_dict({"start_date": "2027-04-05", "end_date": "2027-06-27"}),
        spots=[CampaignSpotInput(display_id=str(spot), spot_id=n) for n, spot in enumerate(spots, 1)],
        cohort=CampaignCohortInput(
            geography_ids=[market], service_segment_ids=[cohort], service_base_segment_id=everyone
        ),
        customer=CampaignCustomerInput(
            customer_id=7,
            customer_name="Example Coffee",
            customer_scenario_id=name,
            customer_scenario_name=name,
        ),
    )


def measure(asset: object, event: str) -> dict[str, Any]:
    """Sends a measurement event with the command line."""
    command = [
        PROGRAM,
        "measurement",
        "send",
        "--org",
        "org_enterprise",
        "--family",
        "campaign",
        "--asset",
        str(asset),
        "--type",
        event,
        "--data-dir",
        str(DATA),
    ]
    answer: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return answer
