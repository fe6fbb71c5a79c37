"""Creating, opening, and revoking client links."""

from playwright.sync_api import expect

import axe
from libraries import CAMPAIGNS, REFUSED, LibrariesTest
from portal import ready

RATE = {"amount": 1250, "currency": "USD", "weeks": 4}
TOTALS = {"impressions": 3_400_000, "target_persons": 5_000_000, "target_impressions": 408_000, "reach": 120_000,
          "reach_low": 110_000, "reach_high": 130_000, "frequency": 3.4, "trp": 8.2}
REPORT = {"status": "provisional", "through_date": "2027-04-11", "results": {"totals": TOTALS}}


class ClientLinksTest(LibrariesTest):
    def test_link_is_created_opened_without_sign_in_and_revoked(self):
        planner = self.colleague().page
        self.open(planner, self.campaign())
        section = planner.get_by_role("region", name="Share with a client")
        section.get_by_role("button", name="Create link · free").click()
        url = section.locator(".secret code").inner_text()
        self.assertRegex(url, r"/portal/shared#mql_[0-9a-f]{64}$")
        section.get_by_role("button", name="I’ve copied it").click()
        expect(section.get_by_text(url)).to_have_count(0)
        expect(section.get_by_role("row")).to_have_count(2)
        expect(section.get_by_role("row").nth(1)).to_contain_text("by you")

        client = self.visitor()
        client.page.goto(url)
        ready(client.page)
        expect(client.page.get_by_role("heading", name="2 displays")).to_be_visible()
        expect(client.page.get_by_role("row", name="1626 BROADWAY")).to_be_visible()
        expect(client.page.get_by_text("some details are modelled")).to_be_visible()
        expect(client.page.get_by_role("region", name="Results")).to_contain_text("No results yet.")
        self.assertEqual(axe.violations_in_all_looks(client.page), [])

        section.get_by_role("button", name="Revoke the link").click()
        planner.get_by_role("button", name="Revoke link · free").click()
        expect(section.get_by_role("row")).to_have_count(0)
        client.expect(REFUSED)
        client.page.reload()
        expect(client.page.get_by_text("This link is invalid or no longer works")).to_be_visible()

    def test_rates_and_results_are_shown_and_printed(self):
        page = self.client_with(rate=RATE, report=REPORT)
        row = page.get_by_role("row", name="1626 BROADWAY")
        expect(row).to_contain_text("USD 1,250 for 4 weeks")
        results = page.get_by_role("region", name="Results")
        expect(results).to_contain_text("Results through Apr 11, 2027, estimated with a model, not measured.")
        expect(results).to_contain_text("110,000 – 130,000")
        self.assertEqual(axe.violations_in_all_looks(page), [])
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        printed = page.locator(".printed")
        for text in ("Spring launch", "1626 BROADWAY", "USD 1,250", "120,000 people", "not measured", "Sources"):
            expect(printed).to_contain_text(text)
        expect(page.get_by_role("navigation")).to_have_count(0)

    def test_rate_column_is_left_out_without_rates(self):
        page = self.client_with()
        expect(page.get_by_role("row", name="1626 BROADWAY")).to_be_visible()
        expect(page.get_by_role("columnheader", name="Rate")).to_have_count(0)

    def client_with(self, rate=None, report=None):
        """Opens a link's page. The sample data has no rates, so `rate` is added to the response."""
        links = f"{CAMPAIGNS}/{self.campaign()}/links"
        link = self.service.done("POST", links, {"include_rates": True}, key=self.key)
        page = self.visitor().page

        def add(route):
            answer = route.fetch()
            body = answer.json()
            body["data"]["report"] = report
            for display in body["data"]["displays"] if rate else []:
                display["rate"] = rate
            route.fulfill(response=answer, json=body)

        page.route("**/v2/client-links/campaign", add)
        page.goto(link["url"])
        ready(page)
        return page
