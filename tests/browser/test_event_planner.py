"""The event planner: selecting places, saving, and errors."""

import re

from playwright.sync_api import expect

import axe
import keyboard
from people import COFFEE_SHOP, YOUNG_ADULTS
from portal import PortalTest, lose_first_answer, ready, refuse_once

SAVE = re.compile("^Save event · 1 credit")


class EventPlannerTest(PortalTest):
    def setUp(self):
        self.visitor = self.colleague()
        self.page = self.visitor.page
        self.plan = self.page.get_by_role("region", name="Event")

    def open(self, address):
        self.page.goto(f"/portal/{address}")
        ready(self.page)

    def search(self):
        self.page.get_by_role("button", name=re.compile("^Search · 1 credit")).click()
        self.page.locator(".total").wait_for()

    def event(self, asset_id):
        return self.service.done("GET", f"/v2/scenarios/events/{asset_id}", key=self.key)

    def events(self):
        return self.service.done("GET", "/v2/scenarios/events/summary", key=self.key)["total"]

    def fill(self, **texts):
        for label, text in texts.items():
            self.plan.get_by_label(label.replace("_", " "), exact=True).first.fill(text)

    def choose(self, label, words, name):
        self.plan.get_by_label(label, exact=True).fill(words)
        self.page.get_by_role("option", name=name).first.click()

    def fill_all(self):
        """Fills in all required fields except the places."""
        self.plan.get_by_label("Name", exact=True).first.fill("Summer concerts")
        self.fill(Time_zone="America/Los_Angeles")
        self.plan.get_by_role("button", name="Add a period").click()
        self.fill(Starts="2027-07-04T18:00", Ends="2027-07-04T23:00")
        self.choose("Audience", "adults 18-34", "Adults 18-34")
        self.choose("Markets", "seattle", "Seattle")
        self.fill(Advertiser_ID="EX-4711", External_ID="summer-2027")

    def save(self):
        self.plan.get_by_role("button", name=SAVE).click()

    def saved(self):
        self.plan.get_by_text("The event was saved").wait_for()
        return self.plan.locator(".saved code").inner_text()

    def test_audience_is_composed_of_blocks(self):
        self.open("event-planner")
        self.plan.get_by_text("Combine age, sex, ethnicity, and income").click()
        blocks = self.plan.get_by_role("group", name="Combine groups")
        use = self.plan.get_by_role("button", name="Use this audience")
        expect(use).to_be_disabled()
        blocks.get_by_label("Age", exact=True).select_option("Adults 25-54")
        blocks.get_by_label("Household income").select_option("100K+")
        use.click()
        chosen = self.plan.get_by_role("list", name="Audience: selected")
        expect(chosen).to_contain_text(re.compile("Adults 25-54 . Households with income 100K"))

    def test_event_is_planned_from_a_search_and_saved_once(self):
        before = self.events()
        self.open("event-planner?city=Seattle&state=WA&type=Coffee+Shop&sort=visits")
        self.search()
        row = self.page.locator(".results li").first
        name = row.locator("strong").inner_text()
        row.get_by_role("button", name=f"Select {name}").click()
        expect(self.plan.locator("#places-chosen")).to_contain_text("1 place,")
        self.fill_all()
        self.save()
        event = self.event(self.saved())
        self.assertEqual(self.events(), before + 1)
        self.assertEqual(event["name"], "Summer concerts")
        self.assertEqual(len(event["place_ids"]), 1)
        self.assertEqual(event["timezone"], "America/Los_Angeles")
        [period] = event["periods"]
        self.assertEqual((period["start_time"], period["end_time"]),
                         ("2027-07-04T18:00:00-07:00", "2027-07-04T23:00:00-07:00"))
        self.assertEqual(event["cohort"]["service_segment_id"], YOUNG_ADULTS)
        self.assertEqual(event["customer"]["customer_scenario_id"], "summer-2027")
        self.plan.get_by_role("link", name="Open event").click()
        expect(self.page).to_have_url(re.compile(f"/portal/events/{event['asset_id']}$"))

    def test_first_place_sets_the_time_zone_until_a_person_chooses_one(self):
        self.open(f"event-planner?places={COFFEE_SHOP}")
        zone = self.plan.get_by_label("Time zone")
        expect(zone).to_have_value("America/Los_Angeles")
        self.open("event-planner?city=Seattle&state=WA&type=Coffee+Shop")
        zone.fill("America/Denver")
        self.search()
        self.page.get_by_role("button", name="Select all").click()
        expect(zone).to_have_value("America/Denver")

    def test_absurd_dates_are_rejected(self):
        self.open(f"event-planner?places={COFFEE_SHOP}")
        self.fill_all()
        self.fill(Starts="0202-07-04T18:00")
        self.save()
        starts = self.plan.get_by_label("Starts")
        expect(starts).to_have_accessible_description("Choose a year from 2000 to 2099.")
        self.assertEqual(self.visitor.asked("POST /v2/scenarios"), 0)

    def test_all_places_on_a_page_are_selected_and_one_is_removed(self):
        self.open("event-planner?city=Seattle&state=WA&type=Movie+Theater")
        self.search()
        count = self.page.locator(".results li").count()
        self.page.get_by_role("button", name="Select all").click()
        chosen = self.page.get_by_role("list", name="Selected places").get_by_role("listitem")
        expect(chosen).to_have_count(count)
        chosen.first.get_by_role("button").click()
        expect(chosen).to_have_count(count - 1)
        expect(self.page.locator(".choose.chosen")).to_have_count(count - 1)

    def test_missing_values_show_errors_without_a_call(self):
        self.open("event-planner")
        self.save()
        expect(self.plan.get_by_label("Audience", exact=True)).to_have_attribute("aria-invalid", "true")
        expect(self.plan.get_by_text("Select at least one place.")).to_be_visible()
        expect(self.plan.get_by_text("Add at least one period.")).to_be_visible()
        self.assertEqual(self.visitor.asked("POST /v2/scenarios"), 0)
        self.assertEqual(axe.violations_in_all_looks(self.page), [])

    def test_rejected_value_is_marked_and_stays_in_its_field(self):
        self.open(f"event-planner?places={COFFEE_SHOP}")
        self.fill_all()
        self.fill(Time_zone="america/los_angeles")
        self.visitor.expect("status of 400")
        self.save()
        zone = self.plan.get_by_label("Time zone")
        expect(zone).to_have_attribute("aria-invalid", "true")
        expect(self.plan.get_by_text("This value wasn’t accepted.")).to_be_visible()
        expect(zone).to_have_value("america/los_angeles")
        zone.fill("America/Los_Angeles")
        self.save()
        self.saved()

    def test_failed_lists_show_an_error_instead_of_loading(self):
        self.open("event-planner")
        self.visitor.expect("status of 503")
        cases = [("Audience", "cohorts/search", "Audiences"), ("Markets", "markets?*", "Markets")]
        for label, path, many in cases:
            with self.subTest(label):
                refuse_once(self.page, f"**/v2/{path}")
                self.plan.get_by_label(label, exact=True).click()
                expect(self.plan.get_by_text(f"{many} couldn’t be loaded.")).to_be_visible()
                expect(self.plan.get_by_text(f"Loading {many.lower()}…")).to_have_count(0)

    def test_retry_after_a_lost_response_saves_one_event(self):
        before = self.events()
        self.open(f"event-planner?places={COFFEE_SHOP}")
        self.fill_all()
        self.visitor.expect("Failed to load resource")
        lose_first_answer(self.page, "**/v2/scenarios/events")
        self.save()
        expect(self.plan.get_by_text("Marquee isn’t responding.")).to_be_visible()
        self.save()
        self.saved()
        self.assertEqual(self.events(), before + 1)

    def test_place_in_the_address_is_selected_and_the_form_resets_after_a_save(self):
        self.open(f"event-planner?places={COFFEE_SHOP}")
        expect(self.page.get_by_role("list", name="Selected places").get_by_role("listitem")).to_have_count(1)
        self.fill_all()
        self.save()
        self.saved()
        expect(self.plan.get_by_label("Time zone")).to_be_disabled()
        self.plan.get_by_role("button", name="Plan another event").click()
        expect(self.page.get_by_role("list", name="Selected places").get_by_role("listitem")).to_have_count(0)
        expect(self.plan.get_by_role("button", name=SAVE)).to_be_visible()

    def test_link_asks_before_leaving_a_filled_form(self):
        self.open(f"event-planner?places={COFFEE_SHOP}")
        self.fill(Advertiser_ID="EX-4711")
        self.page.get_by_role("navigation", name="Pages").get_by_role("link", name="Places").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Stay").click()
        expect(self.plan.get_by_label("Advertiser ID")).to_have_value("EX-4711")
        self.page.get_by_role("navigation", name="Pages").get_by_role("link", name="Places").click()
        self.page.get_by_role("button", name="Leave", exact=True).click()
        expect(self.page).to_have_url(re.compile("/portal/places$"))

    def test_long_place_list_scrolls_inside_the_window(self):
        self.open("event-planner?city=Seattle")
        self.search()
        expect(self.page.locator(".results li").nth(20)).to_be_attached()
        self.assertEqual(self.page.evaluate("document.documentElement.scrollHeight - innerHeight"), 0)

    def test_unknown_places_in_the_address_are_counted(self):
        self.open(f"event-planner?places={COFFEE_SHOP},1,nothing")
        expect(self.plan.get_by_text("1 place in the address isn’t in the current data")).to_be_visible()
        expect(self.page.get_by_role("list", name="Selected places").get_by_role("listitem")).to_have_count(1)

    def test_filled_form_is_accessible(self):
        self.open(f"event-planner?city=Seattle&state=WA&type=Movie+Theater&places={COFFEE_SHOP}")
        self.search()
        self.assertEqual(keyboard.faults(self.page), [])
        self.fill_all()
        self.assertEqual(axe.violations_in_all_looks(self.page), [])
