"""Sign-in, token renewal, and sign-out."""

import re

from playwright.sync_api import expect

import axe
from portal import NOTHING_STORED, PortalTest, ready, sign_in, sign_out, storages


def is_renewal(request):
    """Returns whether a request uses a refresh token."""
    return "grant_type=refresh_token" in (request.post_data or "")


class SessionTest(PortalTest):
    def test_sign_in_stores_nothing_in_the_browser(self):
        page = self.visitor().page
        page.goto("/portal/")
        sign_in(page, "signed-in@example.com")
        self.assertEqual(storages(page), NOTHING_STORED)

    def test_sign_in_returns_to_the_requested_address(self):
        person = self.person()
        person.page.goto("/portal/start?from=mail#name")
        ready(person.page)
        expect(person.page).to_have_url(re.compile(r"/portal/start\?from=mail#name$"))

    def test_reload_signs_in_without_a_prompt(self):
        person = self.person()
        before = person.asked("GET /oauth2/authorize")
        person.page.reload()
        ready(person.page)
        expect(person.page.get_by_label("Your account")).to_be_visible()
        self.assertEqual(person.asked("GET /oauth2/authorize"), before + 1)
        self.assertEqual(storages(person.page), NOTHING_STORED)

    def test_second_window_signs_in_without_a_prompt(self):
        person = self.person()
        window = person.context.new_page()
        window.goto("/portal/start")
        ready(window)
        expect(window.get_by_label("Your account")).to_be_visible()

    def test_sign_out_clears_the_browser_and_the_back_button_shows_nothing(self):
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
        self.assertEqual(person.token, token, "no page may get a token after the sign-out")

    def test_next_person_to_sign_in_sees_their_own_account(self):
        person = self.person()
        sign_out(person.page)
        person.page.goto("/portal/")
        sign_in(person.page, "somebody-else@example.com")
        person.page.get_by_label("Your account").click()
        menu = person.page.get_by_role("banner")
        expect(menu.get_by_text("somebody-else@example.com")).to_be_visible()
        expect(person.page.get_by_text(person.email)).to_have_count(0)

    def test_sign_out_applies_to_all_windows(self):
        person = self.person()
        other = person.context.new_page()
        other.goto("/portal/start")
        ready(other)
        sign_out(person.page)
        other.wait_for_url("**/portal/signed-out")
        self.assertEqual(storages(other), NOTHING_STORED)

    def test_sign_out_asks_about_unsaved_changes(self):
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

    def test_portal_opened_by_another_page_signs_in(self):
        page = self.person().page
        with page.expect_popup() as opened:
            page.evaluate("open('/portal/start')")
        ready(opened.value)
        expect(opened.value.get_by_label("Your account")).to_be_visible()

    def test_reference_does_not_show_the_token(self):
        page = self.person().page
        page.goto("/portal/docs/reference")
        page.locator("#swagger .opblock-summary-control").filter(has_text="/health").first.click()
        page.get_by_role("button", name="Try it out").click()
        page.get_by_role("button", name="Execute").click()
        expect(page.locator("#swagger .curl")).to_contain_text("/v2/health")
        expect(page.locator("#swagger")).not_to_contain_text("eyJ")


class ExpiryTest(PortalTest):
    """Tests in which the API rejects a token while a page is in use."""

    def test_rejected_token_is_renewed_and_the_call_is_repeated(self):
        person = self.person()
        refused = self.refuse_once(person, "GET", "**/v2/account")
        account = ("GET", f"{person.origin}/v2/account")
        calls, tokens = person.requests.count(account), person.asked("POST /oauth2/token")
        person.page.reload()
        ready(person.page)
        expect(person.page.get_by_label("Your account")).to_be_visible()
        self.assertEqual(len(refused), 1)
        self.assertEqual(person.requests.count(account), calls + 2)
        self.assertEqual(person.asked("POST /oauth2/token"), tokens + 2, "one sign-in, one renewal")
        expect(person.page.get_by_role("dialog")).to_have_count(0)

    def test_form_survives_a_second_sign_in_and_the_call_is_repeated(self):
        person = self.person_with_filled_form("Example Coffee")
        page, question = person.page, self.submit_with_expired_sign_in(person)
        with page.expect_popup() as opened:
            question.get_by_role("button", name="Sign in").click()
        # The person is still signed in to the provider, so the window closes automatically.
        if not opened.value.is_closed():
            opened.value.wait_for_event("close")
        expect(page.get_by_role("heading", level=1)).to_have_text("Example Coffee")
        self.assertEqual(storages(page), NOTHING_STORED)

    def test_second_sign_in_works_without_a_provider_session(self):
        person = self.person_with_filled_form("Example Tea")
        page, question = person.page, self.submit_with_expired_sign_in(person)
        person.context.clear_cookies()
        with page.expect_popup() as opened:
            question.get_by_role("button", name="Sign in").click()
        window = opened.value
        window.locator("input[name=email]").fill(person.email)
        with window.expect_event("close"):
            window.locator("input[name=email]").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Example Tea")

    def test_nothing_is_sent_after_another_person_signs_in(self):
        person = self.person_with_filled_form("Example Milk")
        page, question = person.page, self.submit_with_expired_sign_in(person)
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

    def test_declined_sign_in_keeps_the_form(self):
        person = self.person_with_filled_form("Example Juice")
        page, question = person.page, self.submit_with_expired_sign_in(person)
        question.get_by_role("button", name="Not now").click()
        expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("You’re signed out")
        expect(page.get_by_role("main").get_by_role("textbox")).to_have_value("Example Juice")
        page.get_by_role("button", name="Sign up").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Example Juice")

    def person_with_filled_form(self, name):
        """Returns a person without an organization who has typed a new organization's name."""
        person = self.person(has_organization=False)
        person.page.wait_for_url("**/portal/start")
        person.page.get_by_role("main").get_by_role("textbox").fill(name)
        return person

    def submit_with_expired_sign_in(self, person):
        """Submits the form while the token is rejected and can't be renewed. Returns the sign-in dialog."""
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
        """Responds to one call with status 401. Returns a list that collects the rejected call."""
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
    """Tests with tokens that expire after 61 seconds. Pages renew a token a minute before it expires."""

    arguments = ("--token-ttl", "61")

    def test_token_is_renewed_before_it_expires(self):
        page = self.person().page
        with page.expect_request_finished(is_renewal):
            """The page renews the token without any interaction."""
        expect(page.get_by_role("dialog")).to_have_count(0)
        self.assertEqual(storages(page), NOTHING_STORED)
