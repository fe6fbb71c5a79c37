"""Sign-up, keys, the team, invitations, and tile grants."""

import concurrent.futures
import json
import re
import subprocess
import time

from playwright.sync_api import expect

from account import AccountTest
from portal import details, lose_first_answer, ready, sign_in

# The time between two calls by a Sandbox organization, in seconds. It can make 10 calls per minute.
PAUSE = 6
CLIPBOARD = ["clipboard-read", "clipboard-write"]
NEXT_KEY = {"label": "nightly import", "scopes": ["scenarios:read"]}


class StartTest(AccountTest):
    def test_new_person_signs_up_creates_a_key_and_makes_the_first_call(self):
        person = self.person(has_organization=False, permissions=CLIPBOARD)
        page = person.page
        page.wait_for_url("**/portal/start")
        expect(self.main(page)).to_contain_text(f"You’re signed in as {person.email}")
        pages = page.get_by_role("navigation", name="Pages").get_by_role("link")
        expect(pages).to_have_text(["Docs"])
        page.get_by_role("button", name="Sign up").click()
        expect(page.get_by_label("Organization name")).to_be_focused()
        expect(self.main(page)).to_contain_text("Enter a name for your organization.")
        self.no_violations(page)
        page.get_by_label("Organization name").fill("Example Tea")
        page.get_by_role("button", name="Sign up").click()
        expect(pages.filter(has_text="Planner")).to_be_visible()
        page.get_by_role("button", name="Create your first key").click()
        expect(self.main(page)).to_contain_text("Copy the key now. It won’t be shown again.")
        expect(self.main(page)).to_contain_text("Waiting for your call.")
        self.no_violations(page)
        page.get_by_role("button", name="Copy the command").click()
        expect(page.get_by_text("Copied")).to_be_visible()
        line = page.evaluate("navigator.clipboard.readText()")
        answer = subprocess.run(["sh", "-c", line], capture_output=True, check=True)
        self.assertEqual([market["name"] for market in json.loads(answer.stdout)["data"]], ["Seattle-Tacoma"])
        expect(page.get_by_role("heading", name="We received your first call")).to_be_visible()
        expect(page.get_by_role("row", name=re.compile("markets 1 0"))).to_be_visible()
        self.no_violations(page)
        expect(page.get_by_role("link", name="Open the planner")).to_have_attribute("href", "/portal/planner")

    def test_first_steps_survive_a_reload(self):
        person = self.owner()
        page = person.page
        page.goto("/portal/start")
        expect(page.get_by_role("button", name="Create your first key")).to_be_visible()
        page.get_by_role("button", name="Create your first key").click()
        key = page.locator(".secret code").inner_text()
        page.reload()
        expect(self.main(page)).to_contain_text(f"mq_live_…{key[-4:]}, created")
        expect(self.main(page)).to_contain_text("Keys are shown only once.")
        expect(self.main(page)).to_contain_text("Waiting for your call.")
        self.assertNotIn(key, page.content())
        self.service.done("GET", "/v2/markets?q=seattle", key=key)
        page.reload()
        expect(page.get_by_role("heading", name="We received your first call")).to_be_visible()

    def test_sign_up_grants_the_advertised_credits_and_limits(self):
        person = self.person(has_organization=False)
        page = person.page
        page.wait_for_url("**/portal/start")
        promised = self.main(page).inner_text()
        given = self.account(person, "POST", "/organization", {"name": "Example Juice"})["organization"]
        self.assertIn(f"{given['credits']['total']:,} credits, valid for 60 days", promised)
        self.assertIn(f"{given['limits']['calls_per_minute']} calls a minute", promised)
        self.assertEqual(given["role"], "owner")

    def test_rejected_sign_up_explains_the_error_and_the_fix(self):
        visitor = self.visitor()
        visitor.page.goto("/portal/start")
        sign_in(visitor.page, "unverified@example.com", verified=False)
        alert = self.main(visitor.page).get_by_role("alert")
        expect(alert.get_by_role("heading")).to_have_text("Email address not verified")
        expect(details(alert).get_by_role("link", name="EMAIL_NOT_VERIFIED")).to_be_visible()
        expect(visitor.page.get_by_role("button", name="Sign up")).to_have_count(0)
        self.no_violations(visitor.page)
        alert.get_by_role("button", name="Sign in again").click()
        sign_in(visitor.page, "unverified@example.com", verified=True)
        expect(visitor.page.get_by_role("button", name="Sign up")).to_be_visible()


class KeysTest(AccountTest):
    def test_key_is_created_by_keyboard_used_and_revoked(self):
        person = self.owner()
        page = person.page
        page.goto("/portal/keys")
        expect(self.main(page)).to_contain_text("You can create 10 more keys.")
        press = page.keyboard.press
        press("Control+k")
        expect(page.get_by_role("combobox", name="Page, asset, or action")).to_be_focused()
        page.keyboard.type("create")
        expect(page.get_by_role("option", selected=True)).to_contain_text("Create a key")
        press("Enter")
        expect(page.get_by_label("Label", exact=True)).to_be_focused()
        press("Enter")
        expect(self.dialog(page)).to_contain_text("Enter a label")
        expect(self.dialog(page)).to_contain_text("Choose at least one scope")
        page.keyboard.type("nightly import")
        press("Tab")
        press("Space")
        press("Enter")
        secret = self.main(page).locator(".secret")
        expect(secret.get_by_role("heading")).to_be_focused()
        expect(secret).to_contain_text("Copy the key now. It won’t be shown again.")
        expect(self.main(page)).to_contain_text("You can create 9 more keys.")
        key = secret.locator("code").inner_text()
        self.assertEqual(self.curl(key), 200)
        page.get_by_role("button", name="I’ve copied it").click()
        self.assertNotIn(key, page.content())
        page.get_by_role("button", name="Revoke nightly import").click()
        expect(self.dialog(page)).to_contain_text(f"nightly import (…{key[-4:]})")
        self.dialog(page).get_by_role("button", name="Revoke key").click()
        expect(self.main(page)).to_contain_text("No active keys")
        page.get_by_text("1 inactive key").click()
        expect(page.get_by_role("row", name=re.compile("nightly import.*Revoked.*by you"))).to_be_visible()
        with concurrent.futures.ThreadPoolExecutor() as meanwhile:
            refused = meanwhile.submit(self.curl_after, 30, key)
            self.key_dialogs_are_accessible(person)
        self.assertEqual(refused.result(), 401)

    def test_escape_closes_an_empty_form_and_asks_about_a_filled_one(self):
        page = self.owner().page
        page.goto("/portal/keys#create")
        label = page.get_by_label("Label", exact=True)
        expect(label).to_be_focused()
        label.fill("nightly import")
        # Browsers close a dialog after the second Escape, even if the page cancels the dialog's event.
        for _ in range(3):
            page.keyboard.press("Escape")
        expect(self.dialog(page)).to_contain_text("Your changes haven’t been saved.")
        self.no_violations(page)
        page.get_by_role("button", name="Keep editing").click()
        expect(label).to_have_value("nightly import")
        expect(label).to_be_focused()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Discard changes").click()
        expect(self.dialog(page)).to_have_count(0)
        page.get_by_role("button", name="Create key…").first.click()
        page.keyboard.press("Escape")
        expect(self.dialog(page)).to_have_count(0)

    def test_key_with_a_lost_response_is_listed_with_a_warning(self):
        lost = "The key may have been created without being shown."
        for address in ("keys#create", "start"):
            with self.subTest(address):
                person = self.owner()
                page = person.page
                person.expect("Failed to load resource")
                page.goto(f"/portal/{address}")
                ready(page)
                lose_first_answer(page, "**/v2/account/keys")
                if address == "start":
                    page.get_by_role("button", name="Create your first key").click()
                    expect(self.main(page)).to_contain_text("You have the key “first key”")
                else:
                    page.get_by_label("Label", exact=True).fill("nightly import")
                    self.dialog(page).get_by_role("checkbox").first.check()
                    page.get_by_role("button", name="Create key ·").click()
                    expect(self.dialog(page)).to_contain_text(lost)
                    page.get_by_role("button", name="Cancel").click()
                    expect(page.get_by_role("row", name=re.compile("nightly import"))).to_be_visible()
                expect(self.main(page)).to_contain_text(lost)

    def key_dialogs_are_accessible(self, person):
        """Asserts that the dialogs for creating and revoking a key are accessible."""
        page = person.page
        self.account(person, "POST", "/keys", NEXT_KEY)
        page.reload()
        page.get_by_role("button", name="Create key…").click()
        page.get_by_role("button", name="Create key ·").click()
        expect(self.dialog(page)).to_contain_text("Choose at least one scope")
        self.no_violations(page)
        page.keyboard.press("Escape")
        expect(self.dialog(page)).to_have_count(0)
        page.get_by_role("button", name="Revoke nightly import").click()
        self.no_violations(page)
        self.dialog(page).get_by_role("button", name="Keep it").click()
        self.no_violations(page)

    def test_expiry_in_days_is_validated_and_shown_as_a_date(self):
        page = self.owner().page
        page.goto("/portal/keys#create")
        page.get_by_label("Label", exact=True).fill("import")
        page.get_by_label("billing").check()
        page.get_by_label("Expires after (days)").fill("366")
        page.get_by_role("button", name="Create key ·").click()
        expect(self.dialog(page)).to_contain_text("Enter a whole number of days from 1 to 365.")
        page.get_by_label("Expires after (days)").fill("90")
        expect(self.dialog(page)).to_contain_text(re.compile(r"Expires on \w{3} \d+, 20\d\d\."))
        page.get_by_role("button", name="Create key ·").click()
        row = page.get_by_role("row", name=re.compile(r"import.*billing.*\d:\d\d\s[AP]M UTC"))
        expect(row).to_be_visible()

    def test_keys_page_shows_when_the_key_limit_is_reached(self):
        person = self.person()
        for n in range(10):
            self.account(person, "POST", "/keys", {**NEXT_KEY, "label": f"key {n}"})
        person.page.goto("/portal/keys")
        expect(self.main(person.page)).to_contain_text("You’ve reached the limit of 10 keys.")
        expect(person.page.get_by_role("button", name="Create key…")).to_be_disabled()

    def test_member_cannot_create_keys(self):
        member = self.member(self.person())
        member.page.goto("/portal/keys")
        expect(self.main(member.page)).to_contain_text("You’re a member of Example Coffee. Only owners can create")
        expect(member.page.get_by_role("button", name="Create")).to_have_count(0)
        self.assertEqual(member.asked("GET /v2/account/keys"), 0)
        refused = self.service.call("POST", "/v2/account/keys", NEXT_KEY, token=member.token_of_call())
        self.assertEqual(refused.status, 403)
        self.no_violations(member.page)

    def curl_after(self, seconds, key):
        """Calls the API until the status isn't 200 or the time is up. Returns the last status."""
        until = time.monotonic() + seconds
        while (status := self.curl(key)) == 200 and time.monotonic() < until:
            time.sleep(PAUSE)
        return status

    def curl(self, key):
        """Calls the API with a key, and returns the status."""
        url = f"{self.service.origin}/v2/scenarios/campaigns/summary"
        sent = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"X-API-Key: {key}", url]
        return int(subprocess.run(sent, capture_output=True, check=True, text=True).stdout)


def with_mail(mail):
    """Returns a route handler that replaces the email status, `mail`, in responses to new invitations."""

    def answer(route):
        if route.request.method != "POST":
            return route.continue_()
        response = route.fetch()
        body = response.json()
        body["data"]["mail"] = mail
        return route.fulfill(response=response, json=body)

    return answer


class InvitationTest(AccountTest):
    def test_invitation_link_works_only_for_the_invited_address(self):
        owner = self.owner()
        page = owner.page
        page.goto("/portal/team")
        page.get_by_label("Email address").fill("colleague")
        page.get_by_role("button", name="Invite").click()
        expect(self.main(page)).to_contain_text("Enter an email address such as planner@example.com.")
        page.get_by_label("Email address").fill("Colleague@Example.com")
        page.get_by_role("button", name="Invite").click()
        expect(self.main(page)).to_contain_text("Copy the link now. It won’t be shown again.")
        self.no_violations(page)
        link = page.locator(".secret code").inner_text()
        other = self.visitor()
        other.expect("status of 403")
        other.page.goto(link)
        sign_in(other.page, "other@example.com")
        expect(self.main(other.page)).to_contain_text("You’re signed in as other@example.com")
        self.no_violations(other.page)
        other.page.get_by_role("button", name="Accept invitation").click()
        alert = self.main(other.page).get_by_role("alert")
        expect(alert).to_contain_text("another address")
        expect(details(alert).get_by_role("link", name="FORBIDDEN")).to_be_visible()
        other.page.get_by_role("button", name="Sign in with another address").click()
        sign_in(other.page, "colleague@example.com")
        other.page.get_by_role("button", name="Accept invitation").click()
        expect(other.page.get_by_role("heading", level=1)).to_have_text("Welcome to Example Coffee")
        self.assertNotIn("mqi_", other.page.url)
        self.no_violations(other.page)
        page.reload()
        row = page.get_by_role("row", name=re.compile("colleague@example.com Member Accepted"))
        expect(row).to_be_visible()

    def test_owner_learns_whether_the_invitation_was_sent_by_email(self):
        page = self.owner().page
        page.goto("/portal/team")
        for n, (mail, words) in enumerate([
            ("off", "Send this link to guest0@example.com yourself; this service doesn’t send email."),
            ("sent", "We sent this link to guest1@example.com."),
            ("failed", "We couldn’t send a message to guest2@example.com. Send this link yourself."),
            ("limit_reached", "reached today’s limit for invitation emails"),
        ]):
            page.route("**/v2/account/invitations", with_mail(mail))
            page.get_by_label("Email address").fill(f"guest{n}@example.com")
            page.get_by_role("button", name="Invite").click()
            expect(page.locator(".secret")).to_contain_text(words)
            expect(page.locator(".secret code")).to_contain_text("#invitation=mqi_")
            page.unroute("**/v2/account/invitations")

    def test_revoked_invitation_link_shows_an_error(self):
        owner = self.person()
        late_one = {"email": "late@example.com", "role": "member"}
        token = self.account(owner, "POST", "/invitations", late_one)["token"]
        owner.page.goto("/portal/team")
        owner.page.get_by_role("button", name="Revoke the invitation for late@example.com").click()
        self.dialog(owner.page).get_by_role("button", name="Revoke invitation").click()
        row = owner.page.get_by_role("row", name=re.compile("late@example.com Member Revoked"))
        expect(row).to_be_visible()
        late = self.visitor()
        late.expect("status of 410")
        late.page.goto(f"/portal/invitation#invitation={token}")
        sign_in(late.page, "late@example.com")
        late.page.get_by_role("button", name="Accept invitation").click()
        expect(details(self.main(late.page)).get_by_role("link", name="GONE")).to_be_visible()

    def test_invitation_works_only_once(self):
        owner = self.person()
        visitor, invitation = self.invited(owner)
        link = f"/portal/invitation#invitation={invitation['token']}"
        page = visitor.page
        page.goto(link)
        sign_in(page, visitor.email)
        page.get_by_role("button", name="Accept invitation").click()
        page.get_by_role("link", name="View the overview").wait_for()
        page.goto("/portal/team")
        page.get_by_role("button", name="Leave Example Coffee").click()
        self.dialog(page).get_by_role("button", name="Leave").click()
        page.wait_for_url("**/portal/start")
        expect(self.main(page)).to_contain_text("You’ve left Example Coffee.")
        visitor.expect("status of 410")
        page.goto(link)
        page.get_by_role("button", name="Accept invitation").click()
        expect(details(self.main(page)).get_by_role("link", name="GONE")).to_be_visible()

    def test_invitation_is_rejected_for_a_member_of_another_organization(self):
        owner, other = self.person(), self.person()
        invitation = self.account(owner, "POST", "/invitations", {"email": other.email, "role": "owner"})
        other.expect("status of 409")
        page = other.page
        page.goto("/portal/invitation")
        page.get_by_role("button", name="Open", exact=True).click()
        expect(self.main(page)).to_contain_text("Paste the complete link")
        page.get_by_label("Invitation link").fill(invitation["link"])
        page.get_by_role("button", name="Open", exact=True).click()
        expect(self.main(page)).to_contain_text("You already belong to Example Coffee.")
        page.get_by_role("button", name="Accept invitation").click()
        expect(details(self.main(page)).get_by_role("link", name="ALREADY_IN_ORGANIZATION")).to_be_visible()


class TeamTest(AccountTest):
    def test_owner_changes_roles_but_the_last_owner_cannot_be_demoted(self):
        owner = self.person()
        member = self.member(owner)
        page = owner.page
        page.goto("/portal/team")
        page.get_by_role("button", name=f"Make an owner: {member.email}").click()
        self.dialog(page).get_by_role("button", name="Make an owner").click()
        expect(page.get_by_role("row", name=re.compile(f"{member.email} Owner"))).to_be_visible()
        page.get_by_role("button", name=f"Make a member: {member.email}").click()
        self.dialog(page).get_by_role("button", name="Make a member").click()
        expect(page.get_by_role("row", name=re.compile(f"{member.email} Member"))).to_be_visible()
        owner.expect("status of 409")
        page.get_by_role("button", name=f"Make a member: {owner.email}").click()
        self.dialog(page).get_by_role("button", name="Make a member").click()
        expect(details(self.dialog(page)).get_by_role("link", name="STATE_CONFLICT")).to_be_visible()
        self.no_violations(page)
        self.dialog(page).get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("row", name=re.compile(f"{owner.email}.*Owner"))).to_be_visible()

    def test_removing_a_member_revokes_the_chosen_resources_and_lists_the_rest(self):
        owner = self.person()
        leaver = self.member(owner, "owner")
        shared = {"label": "shared report", "scopes": ["tiles"]}
        key = self.account(leaver, "POST", "/keys", shared)
        grant = {"allowed_origins": ["https://maps.example.com"], "label": "store finder"}
        self.service.done("POST", "/v2/displays/tiles/grants", grant, token=leaver.token_of_call())
        by_key = {**grant, "label": "kiosk map"}
        self.service.done("POST", "/v2/displays/tiles/grants", by_key, key=key["api_key"])
        webhook = {"url": "https://hooks.example.com/marquee", "event_types": ["asset.created"]}
        self.account(leaver, "POST", "/webhooks", webhook)
        page = owner.page
        page.goto("/portal/team")
        page.get_by_role("button", name=f"Remove {leaver.email}").click()
        expect(self.dialog(page)).to_contain_text("Key “shared report”")
        expect(self.dialog(page)).to_contain_text("store finder")
        made_by_key = self.dialog(page).get_by_role("listitem").filter(has_text="kiosk map")
        expect(made_by_key).to_contain_text("created with the key “shared report”")
        expect(made_by_key.get_by_title(f"Key ID {key['key_id']}")).to_be_visible()
        self.no_violations(page)
        self.dialog(page).get_by_label("Revoke 1 key").check()
        expect(self.dialog(page)).to_contain_text("Webhook to https://hooks.example.com/marquee")
        self.dialog(page).get_by_label("Delete 1 webhook").check()
        self.dialog(page).get_by_role("button", name="Remove").click()
        said = self.main(page).get_by_role("status").filter(has_text="was removed")
        outcome = "Revoked or deleted:.*shared report.*hooks.example.com.*Still active:.*store finder"
        expect(said).to_contain_text(re.compile(outcome, re.S))
        members = page.get_by_role("table", name="Members")
        expect(members.get_by_role("row", name=re.compile(leaver.email))).to_have_count(0)
        self.assertEqual([key["state"] for key in self.account(owner, "GET", "/keys")], ["revoked"])
        self.assertEqual(self.account(owner, "GET", "/webhooks"), [])
        self.assertEqual([member["is_you"] for member in self.account(owner, "GET", "/members")], [True])

    def test_member_sees_the_team_and_can_only_leave_it(self):
        owner = self.person()
        member = self.member(owner)
        page = member.page
        page.goto("/portal/team")
        expect(page.get_by_role("row", name=re.compile(f"{owner.email} Owner"))).to_be_visible()
        expect(page.get_by_role("row", name=re.compile(f"{member.email} .you. Member"))).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("Make|Remove|Invite"))).to_have_count(0)
        expect(self.main(page)).to_contain_text("Ask an owner")
        page.get_by_role("button", name="Leave Example Coffee").click()
        expect(self.dialog(page)).to_contain_text(member.email)
        self.no_violations(page)
        self.dialog(page).get_by_role("button", name="Stay").click()
        self.assertEqual(member.asked("GET /v2/account/invitations"), 0)

    def test_people_are_shown_by_name_and_their_ids_on_hover(self):
        owner = self.person()
        member = self.member(owner)
        page = owner.page

        def name_them(route):
            answer = route.fetch()
            body = answer.json()
            for one, name in zip(body["data"], (None, "Ada Planner")):
                one["name"] = name
            route.fulfill(response=answer, json=body)

        page.route("**/v2/account/members", name_them)
        page.goto("/portal/team")
        row = page.get_by_role("row", name=re.compile(f"Ada Planner {member.email} Member"))
        expect(row.get_by_title(re.compile("^Member ID [0-9a-f]{16}$"))).to_have_text("Ada Planner")
        self.no_violations(page)
        page.get_by_role("button", name="Remove Ada Planner").click()
        expect(self.dialog(page)).to_contain_text("Ada Planner")
        self.dialog(page).get_by_text("Details").click()
        expect(self.dialog(page).get_by_role("button", name="Copy member ID")).to_be_visible()
        self.no_violations(page)


class TilesTest(AccountTest):
    def test_tile_grant_is_created_listed_and_revoked(self):
        person = self.person()
        page = person.page
        own = {"allowed_origins": [self.service.origin], "label": "portal"}
        self.service.done("POST", "/v2/places/tiles/grants", own, token=person.token_of_call())
        page.goto("/portal/tiles")
        expect(page.get_by_role("row", name=re.compile("portal Used by this portal’s maps"))).to_be_visible()
        page.get_by_role("button", name="Create grant…").click()
        page.get_by_label("Allowed origins").fill("http://maps.example.com")
        page.get_by_role("button", name="Create grant ·").click()
        expect(self.dialog(page)).to_contain_text("“http://maps.example.com” isn’t a valid origin")
        self.no_violations(page)
        page.get_by_label("Allowed origins").fill("https://maps.example.com\nhttp://localhost:8080")
        page.get_by_label("Label (optional)").fill("store finder")
        page.get_by_role("button", name="Create grant ·").click()
        row = page.get_by_role("row", name=re.compile("store finder.*by you.*Active"))
        expect(row).to_contain_text("https://maps.example.com")
        address = page.locator(".secret code").inner_text()
        self.assertEqual(self.service.call("GET", address.removeprefix(self.service.origin)).status, 200)
        self.no_violations(page)
        page.get_by_role("button", name="Revoke store finder").click()
        expect(self.dialog(page)).to_contain_text("store finder (displays)")
        self.dialog(page).get_by_role("button", name="Revoke grant").click()
        expect(page.get_by_role("row", name=re.compile("store finder.*Revoked.*by you"))).to_be_visible()

    def test_member_revokes_only_their_own_grants(self):
        owner = self.person()
        member = self.member(owner)
        for person, label in [(owner, "the owner’s"), (member, "the member’s")]:
            grant = {"allowed_origins": ["https://maps.example.com"], "label": label}
            self.service.done("POST", "/v2/displays/tiles/grants", grant, token=person.token_of_call())
        page = member.page
        page.goto("/portal/tiles")
        expect(page.get_by_role("button", name="Revoke the member’s")).to_be_visible()
        expect(page.get_by_role("button", name="Revoke the owner’s")).to_have_count(0)
        expect(self.main(page)).to_contain_text("owners can revoke any")

    def test_only_owners_can_include_visits_in_a_grant_for_places(self):
        owner = self.person()
        member = self.member(owner)
        for person, choices in [(owner, 1), (member, 0)]:
            page = person.page
            page.goto("/portal/tiles")
            page.get_by_role("button", name="Create grant…").click()
            choice = self.dialog(page).get_by_label(re.compile("^Include weekly visits"))
            expect(choice).to_have_count(0)
            page.get_by_label("Layer").select_option("Places")
            expect(choice).to_have_count(choices)
        page = owner.page
        self.dialog(page).get_by_label(re.compile("^Include weekly visits")).check()
        self.no_violations(page)
        page.get_by_label("Allowed origins").fill("https://maps.example.com")
        page.get_by_label("Label (optional)").fill("store finder")
        page.get_by_role("button", name="Create grant ·").click()
        row = page.get_by_role("row", name=re.compile("store finder Includes weekly visits"))
        expect(row).to_be_visible()
