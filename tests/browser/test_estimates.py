"""Estimates of campaigns, in the planner and on a campaign's page."""

from playwright.sync_api import expect

import axe
from libraries import DISPLAY, LibrariesTest
from people import CAMPAIGN, create_campaign, measured
from plans import fill_audience, search
from portal import ready, refuse_once

UNKNOWN = "4294967295"
ESTIMATE = "Estimate · 5 credits"
CALL = "**/v2/measures/campaigns/estimate"


class EstimatesTest(LibrariesTest):
    def test_saved_campaign_shows_its_estimate_marked_as_modelled(self):
        spots = [{"display_id": DISPLAY, "spot_id": 1}, {"display_id": UNKNOWN, "spot_id": 2}]
        asset_id = create_campaign(self.service, spots=spots)
        page = self.colleague().page
        self.open(page, asset_id)
        estimate(page)
        expected = self.service.done("POST", "/v2/measures/campaigns/estimate",
                                     {"asset_id": asset_id}, key=self.key)
        totals = expected["totals"]
        shown = page.locator(".estimate")
        expect(shown).to_contain_text("Estimated with a model, not measured")
        for name in ("reach", "reach_low", "reach_high", "impressions", "target_impressions",
                     "target_persons"):
            with self.subTest(name):
                expect(shown.locator(".totals")).to_contain_text(f"{totals[name]:,}")
        expect(shown).to_contain_text(f"Not counted: 1 display not in the current data ({UNKNOWN}).")
        market = shown.get_by_role("region", name="By market").get_by_role("row").nth(1)
        expect(market).to_contain_text("New York")
        contacts = shown.get_by_role("region", name="By number of contacts")
        expect(contacts.get_by_role("row")).to_have_count(11)
        shown.get_by_text("By display (1)").click()
        expect(shown.get_by_role("region", name="By display")).to_contain_text("71,000 modelled")
        self.assertEqual(axe.violations_in_all_looks(page), [])

    def test_plan_is_estimated_and_marked_when_it_changes(self):
        visitor = self.colleague()
        page = visitor.page
        page.goto("/portal/planner?county_name=Brooklyn&digital=true")
        ready(page)
        page.get_by_role("button", name=ESTIMATE).click()
        missing = page.get_by_role("alert")
        expect(missing).to_contain_text("Choose an audience.")
        expect(missing).to_contain_text("Select at least one display.")
        search(page)
        page.get_by_role("button", name="Add all").click()
        fill_audience(page)
        expect(missing).to_have_count(0)
        self.assertEqual(visitor.asked("POST /v2/measures/campaigns/estimate"), 0)
        body = estimate(page).request.post_data_json
        self.assertEqual(body["flight"], CAMPAIGN["flight"])
        expect(page.get_by_role("button", name=ESTIMATE)).to_have_count(0)
        page.get_by_label("Last day").fill("2027-06-20")
        expect(page.get_by_text("The plan has changed since this estimate.")).to_be_visible()
        page.get_by_label("Last day").fill("2027-06-27")
        expect(page.get_by_text("The plan has changed since this estimate.")).to_have_count(0)

    def test_refused_estimates_say_what_to_do(self):
        visitor = self.colleague()
        page = visitor.page
        visitor.expect("status of (4..|503)")
        spots = [{"display_id": UNKNOWN, "spot_id": 1}]
        self.open(page, create_campaign(self.service, spots=spots))
        page.get_by_role("button", name=ESTIMATE).click()
        expect(page.get_by_role("alert")).to_contain_text("None of the displays has impressions")
        flight = {"start_date": "2027-01-01", "end_date": "2028-01-02"}
        self.open(page, create_campaign(self.service, flight=flight))
        page.get_by_role("button", name=ESTIMATE).click()
        expect(page.get_by_role("alert")).to_contain_text("Shorten the flight to at most 366 days.")
        self.open(page, create_campaign(self.service))
        refuse_once(page, CALL)
        page.get_by_role("button", name=ESTIMATE).click()
        expect(page.get_by_role("alert")).to_contain_text("Marquee is temporarily unavailable.")
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(".estimate")).to_be_visible()

    def test_measurement_is_bought_and_its_report_shown(self):
        asset_id = create_campaign(self.service)
        page = self.colleague().page
        self.open(page, asset_id)
        page.get_by_role("button", name="Measure…").click()
        purchase = page.get_by_role("dialog")
        expect(purchase).to_contain_text("A model computes the results.")
        purchase.get_by_role("button", name="Buy").click()
        expect(page.get_by_text("The measurement starts on the first day.")).to_be_visible()
        sweep = ["measurement", "sweep", "--date", "2027-07-01"]
        self.service.operate(*sweep, "--release", self.service.release)
        page.reload()
        shown = page.get_by_role("region", name="Measurement")
        expect(shown).to_contain_text("Final results through 2027-06-27.")
        expect(shown).to_contain_text("Estimated with a model, not measured")
        report = self.service.done("GET", f"/v2/measures/campaigns/{asset_id}", key=self.key)["report"]
        expect(shown.locator(".totals")).to_contain_text(f"{report['results']['totals']['reach']:,}")

    def test_only_a_completed_asset_without_a_report_is_called_measured_elsewhere(self):
        asset_id = create_campaign(self.service)
        measured(self.service, "campaign", asset_id, "purchased", "started", "measured", "completed")
        visitor = self.colleague()
        page = visitor.page
        visitor.expect("status of [45]..")
        shown = page.get_by_role("region", name="Measurement")
        elsewhere = "Completed by another measurement product"
        held = []
        page.route(f"**/v2/measures/campaigns/{asset_id}", lambda route: held.append(route))
        page.goto(f"/portal/campaigns/{asset_id}")
        expect(shown.locator(".loading")).to_be_attached()
        expect(shown).not_to_contain_text(elsewhere)
        held[0].fulfill(status=503, json={})
        expect(shown.get_by_role("alert")).to_be_visible()
        expect(shown).not_to_contain_text(elsewhere)
        page.unroute_all()
        shown.get_by_role("button", name="Try again").click()
        expect(shown).to_contain_text(elsewhere)
        expect(shown.get_by_role("alert")).to_have_count(0)


def estimate(page):
    """Requests an estimate, and returns the response after the page shows it."""
    with page.expect_response(CALL) as answer:
        page.get_by_role("button", name=ESTIMATE).click()
    expect(page.locator(".estimate")).to_be_visible()
    return answer.value
