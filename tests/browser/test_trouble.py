"""Errors on pages, whose messages must explain the problem and the next step."""

import re

from playwright.sync_api import expect

import axe
from people import SUPPORT, move
from portal import PortalTest, details, in_module, ready, refuse_once

CODES = re.compile(r"enum: \[([A-Z_,\s]+\bQUOTA_EXCEEDED,[A-Z_,\s]+)\]")
# Error codes from inventory search, which has its own error format.
CODES_OF_SEARCH = ["RATE_LIMIT_EXCEEDED", "invalid_request"]
HEADINGS = "({ headingOf }, codes) => codes.map((code) => [code, headingOf(code)])"


class TroubleTest(PortalTest):
    arguments = ("--support-url", SUPPORT)

    def alert(self, page):
        alert = page.get_by_role("main").get_by_role("alert")
        expect(alert.first).to_be_visible()
        self.assertEqual(axe.violations(page), [])
        return alert.first

    def test_page_recovers_from_a_network_failure(self):
        person = self.person()
        page = person.page
        person.expect("ERR_INTERNET_DISCONNECTED")
        page.route("**/v2/**", lambda route: route.abort("internetdisconnected"))
        page.reload()
        alert = self.alert(page)
        expect(alert).to_contain_text("Marquee isn’t responding")
        page.unroute("**/v2/**")
        alert.get_by_role("button", name="Try again").click()
        ready(page)
        expect(page.get_by_role("main").get_by_role("alert")).to_have_count(0)

    def test_rate_limited_call_shows_the_wait_and_an_error_if_the_person_stops_it(self):
        person = self.person()
        page = person.page
        self.spend_minute(person.token_of_call())
        person.expect("status of 429")
        page.reload()
        expect(page.get_by_text(re.compile(r"Continues in \d+ seconds?"))).to_be_visible()
        self.assertEqual(axe.run(page, {"include": [".waiting"]}, {}), [])
        page.get_by_role("button", name="Stop waiting").click()
        alert = self.alert(page)
        expect(details(alert).get_by_role("link", name="RATE_LIMITED")).to_be_visible()

    def test_rate_limited_call_continues_by_itself_after_the_wait(self):
        person = self.person()
        page = person.page
        person.expect("status of 429")
        refusal = {"code": "RATE_LIMITED", "message": "60 calls a minute", "status": 429}
        refuse_once(page, "**/v2/account", 429, refusal, seconds=5)
        page.reload()
        expect(page.get_by_text("You’ve reached the call limit for this minute.")).to_be_visible()
        expect(page.get_by_text(re.compile(r"Continues in \d seconds?"))).to_be_visible()
        ready(page)
        expect(page.get_by_role("main").get_by_role("alert")).to_have_count(0)

    def test_page_with_missing_files_offers_a_reload(self):
        person = self.person()
        page = person.page
        # This happens if the service is updated while a page is open.
        person.expect("status of 404")
        page.route("**/pages/start/start.js", lambda route: route.fulfill(status=404))
        page.get_by_role("button", name="Search").click()
        page.keyboard.type("First steps")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("This page can’t be displayed")

    def test_page_without_credits_links_to_more_credits(self):
        person = self.signed_in()
        page = person.page
        move(self.service, person.token, "org_without_credits", credits=0)
        person.expect("status of 402")
        page.goto("/portal/campaigns")
        alert = self.alert(page)
        expect(alert.get_by_role("link", name="Get more credits")).to_have_attribute("href", SUPPORT)
        with page.expect_popup() as opened:
            details(alert).get_by_role("link", name="QUOTA_EXCEEDED (opens in another window)").click()
        # The link opens the heading in a new window, and the page stays open.
        heading = opened.value.get_by_role("heading", name="quota-exceeded")
        expect(heading).to_be_in_viewport()
        self.assertGreater(opened.value.evaluate("scrollY"), 0)
        expect(alert).to_be_visible()

    def test_every_error_code_has_a_heading_in_the_documentation(self):
        page = self.person().page
        codes = CODES.findall(self.service.call("GET", "/v2/openapi.yaml").text)
        codes = [code.strip() for text in codes for code in text.split(",")]
        self.assertGreater(len(codes), 20)
        found = in_module(page, "ui/failure.js", HEADINGS, [*codes, *CODES_OF_SEARCH])
        page.goto("/portal/docs/errors")
        headings = page.get_by_role("main").get_by_role("heading", level=2)
        headings = headings.evaluate_all("all => all.map((own) => own.id)")
        self.assertEqual([code for code, heading in found if heading not in headings], [])

    def spend_minute(self, token):
        """Makes calls until the rate limit is reached and more than 10 seconds of the minute are left."""
        while True:
            answer = self.service.call("GET", "/v2/account", token=token)
            if answer.status == 429 and int(answer.headers["Retry-After"]) > 10:
                return
