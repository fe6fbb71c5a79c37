"""Signing in, staying signed in, and signing out."""

import re

from playwright.sync_api import expect

import axe
from portal import NOTHING_STORED, PortalTest, ready, sign_in, sign_out, storages


def is_renewal(request):
    """Whether a request asks for a token by the one that renews it."""
    return "grant_type=refresh_token" in (request.post_data or "")


class SessionTest(PortalTest):
    def test_a_sign_in_leaves_nothing_in_the_browser(self):
        self.assertEqual(storages(self.person().page), NOTHING_STORED)

    def test_what_somebody_asked_for_is_shown_once_they_have_signed_in(self):
        person = self.person()
        person.page.goto("/portal/start?from=mail#name")
        ready(person.page)
        expect(person.page).to_have_url(re.compile(r"/portal/start\?from=mail#name$"))

    def test_a_reload_signs_in_without_a_question(self):
        person = self.person()
        before = person.asked("GET /oauth2/authorize")
        person.page.reload()
        ready(person.page)
        expect(person.page.get_by_label("Your account")).to_be_visible()
        self.assertEqual(person.asked("GET /oauth2/authorize"), before + 1)
        self.assertEqual(storages(person.page), NOTHING_STORED)

    def test_another_window_of_the_same_browser_signs_in_without_a_question(self):
        person = self.person()
        window = person.context.new_page()
        window.goto("/portal/start")
        ready(window)
        expect(window.get_by_label("Your account")).to_be_visible()

    def test_a_sign_out_leaves_nothing_and_the_back_button_shows_nothing(self):
        person = self.person()
        page = person.page
        page.get_by_role("button", name="mode").click()
        self.assertEqual(storages(page)["localStorage"], {"theme": "dark"})
        page.goto("/portal/start")
        ready(page)
        sign_out(page)
        self.assertEqual(storages(page), NOTHING_STORED)
        self.assertEqual(person.context.cookies(), [])
        token = person.token
        page.go_back()
        page.wait_for_url("**/oauth2/authorize?**")
        expect(page.locator("#portal")).to_have_count(0)
        self.assertEqual(person.token, token, "no page got a token after the sign-out")

    def test_whoever_signs_in_after_another_one_sees_their_own(self):
        person = self.person()
        sign_out(person.page)
        person.page.goto("/portal/")
        sign_in(person.page, "somebody-else@example.com")
        person.page.get_by_label("Your account").click()
        menu = person.page.get_by_role("banner")
        expect(menu.get_by_text("somebody-else@example.com")).to_be_visible()
        expect(person.page.get_by_text(person.email)).to_have_count(0)

    def test_a_sign_out_in_one_window_is_one_in_all(self):
        person = self.person()
        other = person.context.new_page()
        other.goto("/portal/start")
        ready(other)
        sign_out(person.page)
        other.wait_for_url("**/portal/signed-out")
        self.assertEqual(storages(other), NOTHING_STORED)

    def test_a_sign_out_asks_before_it_loses_what_is_not_saved(self):
        page = self.person().page
        page.goto("/portal/event-planner")
        ready(page)
        name = page.get_by_role("region", name="Event").get_by_label("Name", exact=True).first
        name.fill("Summer concerts")
        page.get_by_label("Your account").click()
        page.get_by_role("button", name="Sign out").click()
        question = page.get_by_role("dialog", name="Sign out without saving?")
        self.assertEqual(axe.violations(page), [])
        question.get_by_role("button", name="Stay").click()
        expect(name).to_have_value("Summer concerts")
        page.get_by_label("Your account").click()
        page.get_by_role("button", name="Sign out").click()
        question.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/portal/signed-out")
        self.assertEqual(storages(page), NOTHING_STORED)

    def test_a_portal_that_another_page_has_opened_signs_in_by_itself(self):
        page = self.person().page
        with page.expect_popup() as opened:
            page.evaluate("open('/portal/start')")
        ready(opened.value)
        expect(opened.value.get_by_label("Your account")).to_be_visible()

    def test_the_reference_shows_no_token(self):
        page = self.person().page
        page.goto("/portal/docs/reference")
        page.locator("#swagger .opblock-summary-control").filter(has_text="/health").first.click()
        page.get_by_role("button", name="Try it out").click()
        page.get_by_role("button", name="Execute").click()
        expect(page.locator("#swagger .curl")).to_contain_text("/v2/health")
        expect(page.locator("#swagger")).not_to_contain_text("eyJ")


class ExpiryTest(PortalTest):
    """The interface refuses a token in the middle of something."""

    def test_a_refused_token_is_renewed_and_the_call_repeated_unseen(self):
        person = self.person()
        refused = self.refuse_once(person, "GET", "**/v2/account")
        account = ("GET", f"{person.origin}/v2/account")
        calls, tokens = person.requests.count(account), person.asked("POST /oauth2/token")
        person.page.reload()
        ready(person.page)
        expect(person.page.get_by_label("Your account")).to_be_visible()
        self.assertEqual(len(refused), 1)
        self.assertEqual(person.requests.count(account), calls + 2)
        self.assertEqual(person.asked("POST /oauth2/token"), tokens + 2, "for the code, and to renew")
        expect(person.page.get_by_role("dialog")).to_have_count(0)

    def test_whoever_has_to_sign_in_again_keeps_what_they_typed_and_the_call_is_repeated(self):
        person = self.somebody_typing("Example Coffee")
        page, question = person.page, self.send_with_an_ended_sign_in(person)
        with page.expect_popup() as opened:
            question.get_by_role("button", name="Sign in").click()
        # The provider still knows who this is, so the window closes by itself.
        if not opened.value.is_closed():
            opened.value.wait_for_event("close")
        expect(page.get_by_role("heading", level=1)).to_have_text("Example Coffee")
        self.assertEqual(storages(page), NOTHING_STORED)

    def test_whoever_the_provider_has_forgotten_signs_in_in_the_window(self):
        person = self.somebody_typing("Example Tea")
        page, question = person.page, self.send_with_an_ended_sign_in(person)
        person.context.clear_cookies()
        with page.expect_popup() as opened:
            question.get_by_role("button", name="Sign in").click()
        window = opened.value
        window.locator("input[name=email]").fill(person.email)
        with window.expect_event("close"):
            window.locator("input[name=email]").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Example Tea")

    def test_nothing_is_sent_in_the_name_of_another_who_signs_in_in_the_window(self):
        person = self.somebody_typing("Example Milk")
        page, question = person.page, self.send_with_an_ended_sign_in(person)
        sent = person.asked("POST /v2/account/organization")
        person.context.clear_cookies()
        with page.expect_popup() as opened:
            question.get_by_role("button", name="Sign in").click()
        opened.value.locator("input[name=email]").fill("another@example.com")
        with page.expect_navigation(url="**/portal/start"):
            opened.value.locator("input[name=email]").press("Enter")
        ready(page)
        expect(page.get_by_role("main").get_by_role("textbox")).to_have_value("")
        page.get_by_label("Your account").click()
        expect(page.get_by_role("banner").get_by_text("another@example.com")).to_be_visible()
        self.assertEqual(person.asked("POST /v2/account/organization"), sent)

    def test_whoever_does_not_sign_in_again_keeps_what_they_typed(self):
        person = self.somebody_typing("Example Juice")
        page, question = person.page, self.send_with_an_ended_sign_in(person)
        question.get_by_role("button", name="Not now").click()
        expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("You’re signed out")
        expect(page.get_by_role("main").get_by_role("textbox")).to_have_value("Example Juice")
        page.get_by_role("button", name="Sign up").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Example Juice")

    def somebody_typing(self, name):
        """Somebody who has no organization yet, and has typed the name of one."""
        person = self.person(organization=None)
        person.page.wait_for_url("**/portal/start")
        person.page.get_by_role("main").get_by_role("textbox").fill(name)
        return person

    def send_with_an_ended_sign_in(self, person):
        """Sends the form with a token that is refused once and cannot be renewed; what is asked then."""
        page = person.page
        self.refuse_once(person, "POST", "**/v2/account/organization")
        person.expect(r"status of 400 .*/oauth2/token")
        page.route("**/oauth2/token", self.refuse_renewal)
        page.get_by_role("button", name="Sign up").click()
        question = page.get_by_role("dialog", name="Sign in again")
        expect(question).to_be_visible()
        self.assertEqual(axe.violations(page), [])
        return question

    def refuse_once(self, person, method, address):
        """Answers 401 in the service's place, once; the list of the calls that it refused."""
        refused = []

        def answer(route):
            if refused or route.request.method != method:
                return route.fallback()
            refused.append(route.request.url)
            error = {"code": "UNAUTHORIZED", "message": "the token has expired", "status": 401}
            return route.fulfill(status=401, json={"error": error})

        person.expect("status of 401")
        person.page.route(address, answer)
        return refused

    def refuse_renewal(self, route):
        if not is_renewal(route.request):
            return route.fallback()
        return route.fulfill(status=400, json={"error": "invalid_grant"})


class RenewalTest(PortalTest):
    """Tokens live for 61 seconds: the pages renew what lives for less than a minute more."""

    arguments = ("--token-ttl", "61")

    def test_a_token_is_renewed_before_it_expires(self):
        page = self.person().page
        with page.expect_request_finished(is_renewal):
            """Nobody does anything meanwhile."""
        expect(page.get_by_role("dialog")).to_have_count(0)
        self.assertEqual(storages(page), NOTHING_STORED)
