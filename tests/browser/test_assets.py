"""The page for a campaign or an event, and the form for editing it."""

import json
import re

from playwright.sync_api import expect

from libraries import CAMPAIGNS, DISPLAY, EVENTS, REFUSED, SPOTS, LibrariesTest
from people import CAMPAIGN, COFFEE_SHOP, create_event, measured
from portal import details, in_module, lose_first_answer

OTHER_PLACE = "763708288509"


class AssetTest(LibrariesTest):
    def test_campaign_page_shows_details_displays_and_json(self):
        asset = self.campaign()
        developer = self.colleague()
        page = developer.page
        self.open(page, asset)
        expect(page.locator("article")).to_contain_text("Apr 5, 2027 – Jun 27, 2027")
        expect(page.locator("article")).to_contain_text("Adults 18-34")
        expect(page.locator("article")).to_contain_text("New York")
        used = "uses 5 calls. Used so far: 5 calls, 1 credit"
        expect(page.locator(".foot")).to_contain_text(used)
        row = page.get_by_role("button", name=re.compile(DISPLAY))
        expect(row).to_contain_text("LinkNYC")
        expect(page.locator("canvas")).to_be_visible()
        row.click()
        expect(row).to_have_attribute("aria-pressed", "true")
        row.click()
        expect(row).to_have_attribute("aria-pressed", "false")

        page.get_by_text("Developer", exact=True).click()
        shown = page.get_by_role("region", name="JSON")
        expect(shown).to_contain_text('"asset_id"')
        self.assertEqual(json.loads(shown.inner_text()), self.read(asset))
        with page.expect_download() as kept:
            page.get_by_role("button", name="Download JSON").click()
        self.assertEqual(json.loads(kept.value.path().read_text()), self.read(asset))

    def test_button_loads_names_of_other_market_types(self):
        asset = self.campaign(cohort={**CAMPAIGN["cohort"], "geography_ids": ["US2020XDMA501", "US2020XXST06"]})
        page = self.colleague().page
        self.open(page, asset)
        audience = page.locator("article")
        expect(audience).to_contain_text("New York · US2020XXST06")
        expect(page.locator(".foot")).to_contain_text("Used so far: 5 calls")
        page.get_by_role("button", name="Load other names · 1 call, free").click()
        expect(audience).to_contain_text("New York · California")
        expect(page.get_by_role("button", name="Load other names")).to_have_count(0)

    def test_click_on_the_map_selects_the_row_in_the_list(self):
        asset = self.campaign(spots=SPOTS[:1])
        page = self.colleague().page
        self.open(page, asset)
        row = page.get_by_role("button", name=re.compile(DISPLAY))
        canvas = page.locator("canvas")
        canvas.scroll_into_view_if_needed()

        # The only display is at the center. It appears only after the map is drawn.
        def click():
            canvas.click()
            return row.get_attribute("aria-pressed") == "true"

        wait_until(page, click)
        canvas.click(position={"x": 20, "y": 20})
        expect(row).to_have_attribute("aria-pressed", "false")

    def test_event_is_shown_and_edited_in_its_time_zone(self):
        asset = create_event(self.service)
        before = self.read(asset, EVENTS)
        page = self.colleague().page
        self.open(page, asset, "events")
        expect(page.locator("article")).to_contain_text("Jul 4, 2027, 6:00")
        page.get_by_role("button", name="Show 1 place on the map · 1 credit").click()
        expect(page.get_by_role("button", name=re.compile(COFFEE_SHOP))).to_contain_text("Starbucks")
        page.get_by_role("button", name="Edit", exact=True).click()
        page.get_by_label("Ends").first.fill("2027-07-04T23:30")
        page.get_by_label("Name", exact=True).first.fill("Summer nights")
        page.get_by_role("button", name="Save changes · 1 credit").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Summer nights")
        stored = self.read(asset, EVENTS)
        self.assertEqual(stored["periods"][0]["end_time"], "2027-07-04T23:30:00-07:00")
        changed = {member for member in stored if stored[member] != before[member]}
        self.assertEqual(changed, {"name", "periods", "version", "updated_at"})

    def test_map_stays_when_a_place_is_added_that_is_not_on_it(self):
        page = self.colleague().page
        self.open(page, create_event(self.service), "events")
        page.get_by_role("button", name="Show 1 place on the map · 1 credit").click()
        expect(page.locator("canvas")).to_be_visible()
        page.get_by_role("button", name="Edit", exact=True).click()
        page.get_by_label("Add places by ID").fill(OTHER_PLACE)
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_role("button", name="Save changes · 1 credit").click()
        expect(page.locator("canvas")).to_be_visible()
        page.get_by_role("button", name="Show 1 place on the map · 1 credit").click()
        expect(page.get_by_role("button", name=re.compile(OTHER_PLACE))).to_be_visible()
        expect(page.get_by_label("Map of 2 places")).to_be_visible()

    def test_edit_sends_only_changes_and_shows_warnings_at_their_fields(self):
        asset = self.campaign()
        developer = self.colleague()
        page = developer.page
        self.open(page, asset)
        page.get_by_role("button", name="Edit", exact=True).click()
        field = page.get_by_label("Add displays by ID")
        field.fill("10001278, mn-05")
        field.press("Enter")
        expect(field).to_have_accessible_description(re.compile("“mn-05” isn’t an ID. IDs are numbers.$"))
        field.fill(f"10001278, 7 {DISPLAY}")
        page.get_by_role("button", name="Add", exact=True).click()
        added = page.locator(".in-form li")
        expect(added).to_have_count(4)
        expect(added.nth(2)).to_contain_text("CityBridge")
        expect(added.nth(3)).to_contain_text("Not in the current data.")
        with page.expect_request(lambda request: request.method == "PATCH") as sent:
            page.get_by_role("button", name="Save changes · 1 credit").click()
        self.assertEqual(list(sent.value.post_data_json), ["spots"])
        self.assertEqual(sent.value.headers["if-match"], '"1"')
        warned = page.locator(".site-list li").filter(has_text="spot 4")
        expect(warned.locator(".warning")).to_contain_text("isn’t in the current data")

    def test_invalid_values_show_errors_at_their_fields(self):
        developer = self.colleague()
        developer.expect(REFUSED)
        page = developer.page
        self.open(page, self.campaign())
        page.get_by_role("button", name="Edit", exact=True).click()
        page.get_by_label("Last day").fill("2027-04-01")
        page.get_by_label("Advertiser ID").fill("seven")
        page.get_by_role("button", name="Save changes · 1 credit").click()
        expect(page.get_by_role("alert")).to_contain_text("Fix 2 errors above")
        expect(page.get_by_label("Last day")).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_label("Last day")).to_be_focused()
        expect(page.get_by_label("Advertiser ID")).to_have_attribute("aria-invalid", "true")
        self.assertEqual(developer.asked("PATCH"), 0)
        page.get_by_label("Last day").fill("2027-07-04")
        page.get_by_label("Advertiser ID").fill("7")
        # The field shows the portal's message, and the details show the API's message.
        page.route("**/v2/scenarios/campaigns/*", lambda route: route.fulfill(status=400, json={"error": {
            "code": "VALIDATION_ERROR", "message": "the request is invalid", "status": 400,
            "context": {"errors": [{"pointer": "/cohort/geography_ids/0", "detail": "unknown geography"},
                                   {"pointer": "/nowhere", "detail": "unknown field"}]}}}))
        page.get_by_role("button", name="Save changes · 1 credit").click()
        markets = page.get_by_label("Markets", exact=True)
        expect(markets).to_have_attribute("aria-invalid", "true")
        expect(page.locator(".field", has=markets)).to_contain_text("1: This value wasn’t accepted.")
        expect(page.get_by_role("alert")).to_contain_text("1 other value wasn’t accepted.")
        expect(details(page.get_by_role("alert"))).to_contain_text("/nowhere unknown field")
        expect(page.get_by_label("Last day")).to_have_value("2027-07-04")

    def test_edit_conflict_shows_both_changes(self):
        asset = self.campaign()
        mine, theirs = self.colleague(), self.colleague()
        mine.expect(REFUSED)
        for window, name in [(mine, "Mine"), (theirs, "Theirs")]:
            self.open(window.page, asset)
            window.page.get_by_role("button", name="Edit", exact=True).click()
            window.page.get_by_label("Name", exact=True).fill(name)
        theirs.page.get_by_label("Reference").fill("PO-2")
        theirs.page.get_by_role("button", name="Save changes · 1 credit").click()
        expect(theirs.page.get_by_text("Saved.")).to_be_visible()

        page = mine.page
        page.get_by_role("button", name="Save changes · 1 credit").click()
        conflict = page.get_by_role("alert")
        expect(conflict).to_contain_text("Someone else changed this campaign")
        conflict.get_by_role("button", name="Show what changed · 1 credit").click()
        row = conflict.get_by_role("row").filter(has_text="Name")
        for text in ["Spring launch", "Theirs", "Mine"]:
            expect(row).to_contain_text(text)
        expect(conflict.get_by_role("row").filter(has_text="Reference")).to_contain_text("PO-2")
        conflict.get_by_role("button", name="Apply my changes").click()
        expect(page.get_by_label("Reference")).to_have_value("PO-2")
        page.get_by_role("button", name="Save changes · 1 credit").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Mine")
        self.assertEqual(self.read(asset)["campaign"], {"name": "Mine", "reference": "PO-2"})

    def test_campaign_in_flight_cannot_be_edited(self):
        asset = self.campaign()
        developer = self.colleague()
        developer.expect(REFUSED)
        page = developer.page
        self.open(page, asset)
        page.get_by_role("button", name="Edit", exact=True).click()
        page.get_by_label("Name", exact=True).fill("Too late")
        measured(self.service, "campaign", asset, "purchased", "started")
        page.get_by_role("button", name="Save changes · 1 credit").click()
        expect(page.get_by_role("alert")).to_contain_text("measurement started")
        page.get_by_role("button", name="Save changes as a new campaign · 1 credit").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Too late")

        self.open(page, asset)
        expect(page.get_by_text("This campaign is in flight and can’t be edited.")).to_be_visible()
        expect(page.get_by_role("button", name="Edit", exact=True)).to_be_disabled()
        expect(page.get_by_role("button", name="Delete")).to_be_disabled()
        measured(self.service, "campaign", asset, "measured", "completed")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Completed")

    def test_campaign_is_duplicated_and_the_copy_is_deleted(self):
        asset = self.campaign(campaign={"name": "Copied"})
        page = self.colleague().page
        self.open(page, asset)
        page.get_by_role("button", name="Duplicate").click()
        page.get_by_role("button", name="Duplicate · 1 credit").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Copy of Copied")
        copy = page.url.rsplit("/", 1)[1]
        self.assertEqual(self.read(copy)["spots"], SPOTS)
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("dialog")).to_contain_text("Copy of Copied")
        page.get_by_role("button", name="Delete · 1 credit").click()
        expect(page.get_by_role("heading", name="Campaigns", level=1)).to_be_visible()
        self.assertEqual(self.service.call("GET", f"{CAMPAIGNS}/{copy}", key=self.key).status, 404)
        self.assertEqual(self.read(asset)["state"], "draft")

    def test_retry_after_a_lost_response_creates_one_asset(self):
        asset = self.campaign(campaign={"name": "Once"})
        developer = self.colleague()
        developer.expect("Failed to load resource")
        page = developer.page
        self.open(page, asset)
        page.get_by_role("button", name="Duplicate").click()
        tries = lose_first_answer(page, "**" + CAMPAIGNS)
        page.get_by_role("button", name="Duplicate · 1 credit").click()
        expect(page.get_by_role("alert")).to_contain_text("your changes are still here")
        page.get_by_role("button", name="Duplicate · 1 credit").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Copy of Once")
        self.assertEqual(len({sent.headers["idempotency-key"] for sent in tries}), 1)
        self.assertEqual(len(self.named("Copy of Once")), 1)

    def test_retry_after_a_rejected_token_reuses_the_idempotency_key(self):
        asset = self.campaign(campaign={"name": "Expired"})
        developer = self.colleague()
        developer.expect(REFUSED)
        page = developer.page
        self.open(page, asset)
        page.get_by_role("button", name="Duplicate").click()
        keys = []

        def refuse_first(route):
            keys.append(route.request.headers["idempotency-key"])
            if len(keys) > 1:
                return route.continue_()
            expired = {"code": "UNAUTHORIZED", "message": "the token has expired"}
            return route.fulfill(status=401, json={"error": expired})

        page.route("**" + CAMPAIGNS, refuse_first)
        page.get_by_role("button", name="Duplicate · 1 credit").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Copy of Expired")
        self.assertEqual([len(keys), len(set(keys))], [2, 1])

    def test_retried_edit_recognizes_its_own_earlier_save(self):
        asset = self.campaign()
        developer = self.colleague()
        developer.expect("Failed to load resource")
        page = developer.page
        self.open(page, asset)
        page.get_by_role("button", name="Edit", exact=True).click()
        page.get_by_label("Name", exact=True).fill("Mine only")

        def lose(route):
            route.fetch()
            route.abort()

        page.route(f"**{CAMPAIGNS}/*", lose, times=1)
        page.get_by_role("button", name="Save changes · 1 credit").click()
        expect(page.get_by_role("alert")).to_contain_text("Marquee isn’t responding.")
        page.get_by_role("button", name="Save changes · 1 credit").click()
        conflict = page.get_by_role("alert")
        expect(conflict).to_contain_text("Your earlier save may have gone through")
        expect(conflict).not_to_contain_text("Someone else")
        conflict.get_by_role("button", name="Show what changed · 1 credit").click()
        expect(page.get_by_text("Saved.")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Mine only")
        self.assertEqual(self.read(asset)["version"], 2)

    def test_audiences_and_markets_are_found_by_words_and_keyboard(self):
        asset = self.campaign()
        page = self.colleague().page
        self.open(page, asset)
        page.get_by_role("button", name="Edit", exact=True).click()
        audience = page.get_by_role("combobox", name="Audience", exact=True)
        audience.press_sequentially("25-29 adu")
        expect(page.get_by_role("option", name="Adults 25-29 Age")).to_be_visible()
        audience.press("ArrowDown")
        audience.press("Enter")
        expect(page.get_by_role("button", name="Remove Adults 25-29")).to_be_visible()
        page.get_by_label("Market type").select_option("ZIP")
        markets = page.get_by_role("combobox", name="Markets", exact=True)
        markets.fill("10027")
        # The ZIP code isn't among the most populous ones, so Enter searches for it.
        markets.press("Enter")
        page.get_by_role("option", name=re.compile("10027")).click()
        page.get_by_role("button", name="Save changes · 1 credit").click()
        expect(page.get_by_text("Saved.")).to_be_visible()
        cohort = self.read(asset)["cohort"]
        self.assertEqual(len(cohort["service_segment_ids"]), 2)
        self.assertEqual(cohort["geography_ids"], ["US2020XDMA501", "US2020ZCTA10027"])

    def test_local_times_convert_across_daylight_saving_changes(self):
        page = self.person().page
        moments = in_module(page, "scenario/zone.js", """({ clockTime, momentOf }, clocks) => {
          const moments = clocks.map(([clock, zone]) => [momentOf(clock, zone), zone]);
          return moments.map(([moment, zone]) => [moment, clockTime(moment, zone)]);
        }""", [["2027-07-04T18:00", "America/New_York"], ["2027-03-14T02:30", "America/New_York"],
               ["2027-11-07T01:30", "America/New_York"], ["2027-01-01T00:00:30", "Asia/Kolkata"]])
        self.assertEqual(moments, [
            ["2027-07-04T18:00:00-04:00", "2027-07-04T18:00"],
            # The first time is in an hour that is skipped, and the second is in an hour that occurs twice.
            ["2027-03-14T02:30:00-05:00", "2027-03-14T03:30"],
            ["2027-11-07T01:30:00-04:00", "2027-11-07T01:30"],
            ["2027-01-01T00:00:30+05:30", "2027-01-01T00:00:30"],
        ])

    def test_link_asks_before_leaving_unsaved_changes(self):
        page = self.colleague().page
        self.open(page, self.campaign())
        page.get_by_role("button", name="Edit", exact=True).click()
        page.get_by_label("Name", exact=True).fill("Typed")
        page.get_by_role("link", name="Events", exact=True).click()
        page.get_by_role("button", name="Stay").click()
        expect(page.get_by_label("Name", exact=True)).to_have_value("Typed")
        page.get_by_role("link", name="Events", exact=True).click()
        page.get_by_role("button", name="Leave", exact=True).click()
        expect(page.get_by_role("heading", name="Events", level=1)).to_be_visible()

    def test_back_button_and_palette_ask_before_leaving_unsaved_changes(self):
        page = self.colleague().page
        asset = self.campaign(campaign={"name": "Held back"})
        page.goto("/portal/campaigns")
        page.get_by_role("link", name="Held back").click()
        page.get_by_role("button", name="Edit", exact=True).click()
        name = page.get_by_label("Name", exact=True)
        name.fill("Typed")
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Page, asset, or action").fill("Events")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Stay").click()
        page.evaluate("history.back()")
        page.get_by_role("button", name="Stay").click()
        expect(name).to_have_value("Typed")
        self.assertTrue(page.url.endswith(asset))
        page.evaluate("history.back()")
        page.get_by_role("button", name="Leave", exact=True).click()
        expect(page.get_by_role("heading", name="Campaigns", level=1)).to_be_visible()

    def test_changed_form_after_a_lost_response_links_to_the_saved_copy(self):
        asset = self.campaign(campaign={"name": "Twice"})
        developer = self.colleague()
        developer.expect("Failed to load resource")
        page = developer.page
        self.open(page, asset)
        page.get_by_role("button", name="Duplicate").click()
        lose_first_answer(page, "**" + CAMPAIGNS)
        page.get_by_role("button", name="Duplicate · 1 credit").click()
        expect(page.get_by_role("alert")).to_be_visible()
        page.get_by_label("Name of the copy").fill("Twice, changed")
        page.get_by_role("button", name="Duplicate · 1 credit").click()
        expect(page.get_by_role("alert")).to_contain_text("Your earlier save succeeded")
        page.get_by_role("link", name="Open Copy of Twice").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Copy of Twice")
        self.assertEqual(len(self.named("Copy of Twice")), 1)
        self.assertEqual(self.named("Twice, changed"), [])


def wait_until(page, holds):
    """Waits until `holds`, which is called after every frame, returns true."""
    for _ in range(600):
        if holds():
            return
        page.evaluate("new Promise((drawn) => requestAnimationFrame(drawn))")
    raise AssertionError("the condition did not become true within 600 frames")
