"""Webhooks: their secrets, their deliveries to a local server, and the view for members."""

import re

from playwright.sync_api import expect

from account import AccountTest
from portal import details, lose_first_answer, ready
from receiver import Receiver

URL = "https://hooks.example.com/marquee"
# These tests don't revoke keys, so nothing is sent to the URL.
QUIET = {"url": URL, "event_types": ["key.revoked"]}


class WebhooksTest(AccountTest):
    def receiver(self, status=204):
        return self.enterContext(Receiver(status))

    def card(self, page, url=URL):
        return page.get_by_role("region", name=url, exact=True)

    def owner_with_webhook(self, body=QUIET):
        """Returns an owner on the webhooks page, and their new webhook with its secret."""
        owner = self.owner()
        webhook = self.account(owner, "POST", "/webhooks", body)
        owner.page.goto("/portal/webhooks")
        ready(owner.page)
        return owner, webhook

    def act(self, page, url, name, confirm):
        """Clicks one of a webhook's buttons, and confirms."""
        page.get_by_role("button", name=f"{name}: {url}", exact=True).click()
        self.dialog(page).get_by_role("button", name=confirm, exact=True).click()
        expect(self.dialog(page)).to_have_count(0)

    def test_webhook_is_created_by_keyboard_and_its_secret_is_shown_once(self):
        page = self.owner().page
        page.goto("/portal/webhooks")
        expect(self.main(page)).to_contain_text("You can create 10 more webhooks.")
        self.no_violations(page)
        press = page.keyboard.press
        press("Control+k")
        page.keyboard.type("create webhook")
        expect(page.get_by_role("option", selected=True)).to_contain_text("Create a webhook")
        press("Enter")
        expect(page.get_by_label("URL")).to_be_focused()
        press("Enter")
        expect(self.dialog(page)).to_contain_text("Enter a URL.")
        expect(self.dialog(page)).to_contain_text("Choose at least one change.")
        self.no_violations(page)
        page.keyboard.type(URL)
        press("Tab")
        press("Space")
        press("Enter")
        secret = self.main(page).locator(".secret")
        expect(secret.get_by_role("heading")).to_be_focused()
        expect(secret).to_contain_text("Copy the secret now. It won’t be shown again.")
        expect(self.main(page)).to_contain_text("You can create 9 more webhooks.")
        text = secret.locator("code").first.inner_text()
        self.assertRegex(text, "^whsec_[A-Za-z0-9+/]{43}=$")
        card = self.card(page)
        expect(card).to_contain_text(re.compile(r"Enabled.*asset\.created.*by you", re.S))
        self.no_violations(page)
        page.get_by_role("button", name="I’ve copied it").click()
        self.assertNotIn(text, page.content())
        page.reload()
        expect(card).to_be_visible()
        self.assertNotIn(text, page.content())

    def test_url_that_the_api_rejects_is_explained_before_the_call(self):
        owner = self.owner()
        page = owner.page
        page.goto("/portal/webhooks#create")
        field = page.get_by_label("URL")
        for url in ["hooks.example.com", "http://hooks.example.com/", "https://hooks.example.com:8443/",
                    "https://10.0.0.1/", "https://localhost/", "https://me@example.com/", f"{URL}#part"]:
            with self.subTest(url):
                field.fill(url)
                field.press("Enter")
                expect(self.dialog(page)).to_contain_text("Enter an https URL with a host name")
        self.assertEqual(owner.asked("POST /v2/account/webhooks"), 0)

    def test_test_delivery_arrives_is_signed_and_shows_its_result(self):
        receiver = self.receiver()
        owner, webhook = self.owner_with_webhook({**QUIET, "url": receiver.url})
        page = owner.page
        page.get_by_role("button", name=f"Send test: {receiver.url}").click()
        row = page.get_by_role("row", name=re.compile("^Test webhook.test"))
        # The page loads a delivery again until it has been attempted.
        expect(row).to_contain_text(re.compile(r"Succeeded1\w.*Status 204", re.S))
        delivery = receiver.next()
        self.assertEqual(delivery.type, "webhook.test")
        self.assertTrue(delivery.is_signed_with(webhook["secret"]))
        self.no_violations(page)
        page.reload()
        page.get_by_text("Deliveries", exact=True).click()
        expect(row).to_contain_text("Succeeded")
        row.get_by_role("button", name="Deliver again").click()
        expect(row).to_contain_text("Succeeded")
        self.assertEqual(receiver.next().id, delivery.id)

    def test_failed_attempt_shows_its_status_and_the_next_attempt(self):
        receiver = self.receiver(status=503)
        owner, _ = self.owner_with_webhook({**QUIET, "url": receiver.url})
        page = owner.page
        page.get_by_role("button", name=f"Send test: {receiver.url}").click()
        row = page.get_by_role("row", name=re.compile("^Test webhook.test"))
        expect(row).to_contain_text(re.compile(r"Pending.*Status 503", re.S))
        expect(row.get_by_role("button", name="Deliver again")).to_have_count(0)
        receiver.status = 200
        # The second attempt is due 5 seconds after the first.
        self.assertEqual(receiver.next().id, receiver.next().id)
        page.get_by_role("button", name=f"Refresh deliveries to {receiver.url}").click()
        expect(row).to_contain_text(re.compile(r"Succeeded2\w.*Status 200", re.S))

    def test_changes_are_delivered_only_while_the_webhook_is_enabled(self):
        receiver, other = self.receiver(), self.receiver()
        body = {"url": receiver.url, "event_types": ["key.created"]}
        owner, _ = self.owner_with_webhook(body)
        self.account(owner, "POST", "/webhooks", {**body, "url": other.url})
        page = owner.page
        card = self.card(page, receiver.url)
        self.act(page, receiver.url, "Disable", "Disable webhook")
        expect(card).to_contain_text("An owner disabled this webhook on")
        expect(card.get_by_role("button", name="Send test")).to_have_count(0)
        self.no_violations(page)
        new_key = {"label": "nightly import", "scopes": ["scenarios:read"]}
        self.account(owner, "POST", "/keys", new_key)
        # The change is delivered to the other webhook.
        other.next()
        card.get_by_role("button", name="Enable").click()
        expect(card.get_by_role("button", name="Send test")).to_be_visible()
        expect(card).not_to_contain_text("disabled")
        key = self.account(owner, "POST", "/keys", {**new_key, "label": "weekly import"})
        delivery = receiver.next()
        self.assertIn(key["key_id"].encode(), delivery.signed)
        card.get_by_text("Deliveries", exact=True).click()
        expect(card.get_by_role("row", name=re.compile("^API key created key.created"))).to_have_count(1)

    def test_both_secrets_sign_deliveries_after_the_secret_is_replaced(self):
        receiver = self.receiver()
        owner, webhook = self.owner_with_webhook({**QUIET, "url": receiver.url})
        page = owner.page
        page.get_by_role("button", name=f"Replace secret: {receiver.url}").click()
        expect(self.dialog(page)).to_contain_text("The current secret also signs deliveries for 24 hours")
        self.no_violations(page)
        self.dialog(page).get_by_role("button", name="Replace secret").click()
        secret = self.main(page).locator(".secret")
        expect(secret.get_by_role("heading")).to_be_focused()
        text = secret.locator("code").first.inner_text()
        self.assertNotEqual(text, webhook["secret"])
        card = self.card(page, receiver.url)
        expect(card).to_contain_text("The previous secret also signs deliveries until")
        page.get_by_role("button", name=f"Send test: {receiver.url}").click()
        delivery = receiver.next()
        self.assertTrue(delivery.is_signed_with(text))
        self.assertTrue(delivery.is_signed_with(webhook["secret"]))
        page.get_by_role("button", name=f"Replace secret: {receiver.url}").click()
        expect(self.dialog(page)).to_contain_text("The secret was already replaced in the last 24 hours.")
        page.keyboard.press("Escape")

    def test_webhook_is_edited_and_deleted(self):
        owner, _ = self.owner_with_webhook()
        page = owner.page
        page.get_by_role("button", name=f"Edit: {URL}").click()
        expect(page.get_by_label("URL")).to_have_value(URL)
        expect(page.get_by_label("API key revoked")).to_be_checked()
        page.get_by_label("URL").fill(f"{URL}/next")
        page.get_by_label("Credits low").check()
        self.no_violations(page)
        self.dialog(page).get_by_role("button", name="Save").click()
        edited = self.card(page, f"{URL}/next")
        expect(edited).to_contain_text(re.compile(r"key\.revoked.*credits\.low", re.S))
        self.act(page, f"{URL}/next", "Delete", "Delete webhook")
        expect(self.main(page)).to_contain_text("No webhooks")
        self.assertEqual(self.account(owner, "GET", "/webhooks"), [])

    def test_older_deliveries_are_shown_on_request(self):
        receiver = self.receiver()
        owner, webhook = self.owner_with_webhook({**QUIET, "url": receiver.url})
        page = owner.page
        for _ in range(26):
            self.account(owner, "POST", f"/webhooks/{webhook['webhook_id']}/test")
            receiver.next()
        page.get_by_text("Deliveries", exact=True).click()
        rows = page.get_by_role("row", name=re.compile("^Test"))
        expect(rows).to_have_count(25)
        page.get_by_role("button", name="Show older").click()
        expect(rows).to_have_count(26)
        expect(page.get_by_role("button", name="Show older")).to_have_count(0)

    def test_secret_with_a_lost_response_is_mentioned_with_a_warning(self):
        lost = "The secret may have been created without being shown."
        owner = self.owner()
        page = owner.page
        owner.expect("Failed to load resource")
        page.goto("/portal/webhooks#create")
        ready(page)
        lose_first_answer(page, "**/v2/account/webhooks")
        page.get_by_label("URL").fill(URL)
        page.get_by_label("API key revoked").check()
        page.get_by_role("button", name="Create webhook ·").click()
        expect(self.dialog(page)).to_contain_text(lost)
        page.get_by_role("button", name="Cancel").click()
        expect(self.card(page)).to_be_visible()
        expect(self.main(page)).to_contain_text(lost)
        self.act(page, URL, "Replace secret", "Replace secret")
        expect(self.main(page)).not_to_contain_text(lost)

    def test_limit_and_conflicts_are_explained(self):
        owner, webhook = self.owner_with_webhook()
        page = owner.page
        path = f"/webhooks/{webhook['webhook_id']}"
        self.account(owner, "PATCH", path, {"enabled": False})
        owner.expect("status of 409")
        page.get_by_role("button", name=f"Send test: {URL}").click()
        alert = self.card(page).get_by_role("alert")
        expect(alert).to_contain_text("This webhook is disabled. Enable it first.")
        expect(details(alert).get_by_role("link", name="STATE_CONFLICT")).to_be_visible()
        for _ in range(9):
            self.account(owner, "POST", "/webhooks", QUIET)
        page.reload()
        expect(self.main(page)).to_contain_text("You’ve reached the limit of 10 webhooks.")
        expect(page.get_by_role("button", name="Create webhook…")).to_be_disabled()

    def test_member_cannot_manage_webhooks(self):
        member = self.member(self.person())
        page = member.page
        page.goto("/portal/webhooks")
        expect(self.main(page)).to_contain_text("You’re a member of Example Coffee. Only owners can create")
        expect(page.get_by_role("button", name="Create")).to_have_count(0)
        page.get_by_label("Your account").click()
        links = page.get_by_role("navigation", name="Organization")
        expect(links.get_by_role("link", name="Team")).to_be_visible()
        expect(links.get_by_role("link", name="Webhooks")).to_have_count(0)
        page.keyboard.press("Escape")
        self.assertEqual(member.asked("/v2/account/webhooks"), 0)
        refused = self.service.call("POST", "/v2/account/webhooks", QUIET, token=member.token_of_call())
        self.assertEqual(refused.status, 403)
        self.no_violations(page)
