"""Selecting many displays, lists of IDs, undo, drafts, and changes to a saved campaign on the map."""

from playwright.sync_api import expect

import axe
from journeys import journey
from libraries import DISPLAY, OTHER_DISPLAY, SPOTS, LibrariesTest
from people import create_campaign
from plans import fill_audience, rows, search, step
from portal import ready, sign_out

BROOKLYN = "/portal/planner?county_name=Brooklyn&digital=true"
UNIT, OWNER = "mn-05-133508", "CityBridge"
DROP = """(element) => {
  const data = new DataTransfer();
  data.items.add(new File(['\\ufeffDisplay ID,Name\\n10528839,Kiosk\\n'], 'plan.csv', { type: 'text/csv' }));
  element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


class PlanningTest(LibrariesTest):
    def setUp(self):
        super().setUp()
        self.visitor = self.colleague()
        self.page = self.visitor.page

    def planner(self, address=BROOKLYN, is_searched=True):
        self.page.goto(address)
        ready(self.page)
        if is_searched:
            search(self.page)

    def counts(self, number):
        expect(self.page.get_by_text(f"{number} of 2,000 displays")).to_be_visible()

    def list_of_displays(self, text):
        self.page.get_by_text("Add a list of displays").click()
        self.page.get_by_label("List", exact=True).fill(text)

    def test_first_displays_and_those_in_view_are_added_at_once(self):
        self.planner()
        with journey(self.page, "choose 30 of 334 displays after the search", most=3):
            self.page.get_by_label("First", exact=True).fill("30")
            self.page.get_by_role("button", name="Add", exact=True).click()
            self.counts(30)
        expect(rows(self.page).nth(0)).to_have_attribute("aria-selected", "true")
        self.page.get_by_role("button", name="Zoom in").click()
        in_view = self.page.get_by_role("button", name="in view")
        expect(in_view).to_be_visible()
        self.page.get_by_role("button", name="Discard draft").click()
        number = int(in_view.inner_text().split()[1])
        in_view.click()
        self.counts(number)

    def test_ranges_are_added_with_the_mouse_and_the_keyboard(self):
        self.planner()
        listed, press = rows(self.page), self.page.keyboard.press
        listed.nth(1).locator(".tick").click()
        listed.nth(4).click(modifiers=["Shift"])
        self.counts(4)
        self.assertEqual(self.page.evaluate("getSelection().toString()"), "")
        press("Shift+ArrowDown")
        self.counts(5)
        press("ControlOrMeta+a")
        self.page.get_by_role("button", name="New York 334", exact=True).wait_for()

    def test_list_of_ids_or_unit_numbers_is_added_and_missing_ones_are_named(self):
        self.planner("/portal/planner", is_searched=False)
        self.list_of_displays(f"{DISPLAY}, {OTHER_DISPLAY}, 7, abc")
        self.page.get_by_role("button", name="Add 4 displays · free").click()
        self.counts(2)
        expect(self.page.get_by_text("2 not found: 7, abc.")).to_be_visible()
        expect(self.page.get_by_role("button", name="New York 2", exact=True)).to_be_visible()
        self.page.get_by_text("Unit numbers").click()
        self.page.get_by_label("Media owner").fill(OWNER)
        self.page.get_by_label("List", exact=True).fill(f"Unit\n{UNIT}\n")
        self.page.get_by_role("button", name="Add 1 display · free").click()
        # The display with this unit number is already in the plan.
        expect(self.page.get_by_text("Added 0 displays.")).to_be_visible()
        self.page.get_by_text("Display IDs").click()
        self.page.get_by_label("List", exact=True).evaluate(DROP)
        expect(self.page.get_by_role("button", name="Add 1 display · free")).to_be_visible()
        self.assertEqual(axe.violations_in_all_looks(self.page), [])

    def test_removed_market_is_restored_with_undo(self):
        self.planner()
        self.page.get_by_role("button", name="Add all").click()
        self.counts(334)
        self.page.get_by_role("button", name="Remove 334 displays in New York from the plan").click()
        self.counts(0)
        self.page.get_by_role("button", name="Undo").click()
        self.counts(334)

    def test_steps_of_the_form_open_when_they_are_next_and_when_they_have_errors(self):
        self.planner()
        rows(self.page).first.locator(".tick").click()
        dates, advertiser = step(self.page, "Name and dates"), step(self.page, "Advertiser")
        expect(dates).to_have_attribute("open", "")
        expect(advertiser).not_to_have_attribute("open", "")
        fill_audience(self.page)
        expect(advertiser).to_have_attribute("open", "")
        advertiser.locator("summary").click()
        dates.locator("summary").click()
        expect(dates.locator("summary")).to_contain_text("Apr 5, 2027 – Jun 27, 2027")
        # A step that the person has closed stays closed while they change the plan.
        rows(self.page).nth(1).locator(".tick").click()
        self.counts(2)
        expect(dates).not_to_have_attribute("open", "")
        expect(advertiser).not_to_have_attribute("open", "")
        self.page.get_by_role("button", name="Save campaign · 1 credit").click()
        expect(advertiser).to_have_attribute("open", "")
        expect(self.page.get_by_label("External ID")).to_have_attribute("aria-invalid", "true")
        expect(dates).not_to_have_attribute("open", "")

    def test_draft_survives_a_reload_until_it_is_discarded(self):
        self.planner()
        rows(self.page).nth(0).locator(".tick").click()
        self.page.get_by_label("Name", exact=True).fill("Spring on Broadway")
        expect(self.page.get_by_text("Draft kept in this browser.")).to_be_visible()
        asked = []
        self.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        self.page.reload()
        ready(self.page)
        self.counts(1)
        expect(self.page.get_by_label("Name", exact=True)).to_have_value("Spring on Broadway")
        self.assertEqual(asked, [])
        self.page.get_by_role("button", name="Discard draft").click()
        self.counts(0)
        self.page.get_by_role("button", name="Undo").click()
        self.counts(1)
        self.page.get_by_role("button", name="Discard draft").click()
        self.page.reload()
        ready(self.page)
        self.counts(0)
        self.assertEqual(self.page.evaluate("Object.keys(localStorage)"), [])

    def test_sign_out_asks_before_it_deletes_a_draft(self):
        self.planner("/portal/planner", is_searched=False)
        self.page.get_by_label("Name", exact=True).fill("Spring on Broadway")
        expect(self.page.get_by_text("Draft kept in this browser.")).to_be_visible()
        self.page.get_by_label("Your account").click()
        self.page.get_by_role("button", name="Sign out").click()
        dialog = self.page.get_by_role("dialog", name="Sign out without saving?")
        dialog.get_by_role("button", name="Stay").click()
        self.page.get_by_role("button", name="Discard draft").click()
        sign_out(self.page)

    def test_saved_campaign_is_changed_on_the_map(self):
        unknown = {"display_id": "4294967295", "spot_id": 9}
        asset_id = create_campaign(self.service, spots=[*SPOTS, unknown])
        self.open(self.page, asset_id)
        with journey(self.page, "add 5 displays to a saved campaign on the map, until the save", most=6):
            self.page.get_by_role("link", name="Edit on the map").click()
            expect(self.page.get_by_text("2 displays: 0 added, 0 removed")).to_be_visible()
            expect(self.page.get_by_text("1 spot without a display in the current data stays")).to_be_visible()
            self.page.get_by_role("button", name="Keywords").click()
            self.page.get_by_label("Keywords", exact=True).fill("Flatbush")
            search(self.page)
            self.page.get_by_label("First", exact=True).fill("5")
            self.page.get_by_role("button", name="Add", exact=True).click()
        self.page.get_by_role("button", name="New York 7", exact=True).click()
        self.page.get_by_role("listbox", name="Selected in New York").press("Space")
        expect(self.page.get_by_text("6 displays: 5 added, 1 removed")).to_be_visible()
        # The draft survives a reload without being fetched again.
        expect(self.page.get_by_text("Draft kept in this browser.")).to_be_visible()
        self.page.reload()
        expect(self.page.get_by_text("6 displays: 5 added, 1 removed")).to_be_visible()
        self.assertEqual(axe.violations_in_all_looks(self.page), [])
        # Someone else changes the campaign in the meantime.
        self.service.done("PATCH", f"/v2/scenarios/campaigns/{asset_id}", {"campaign": {"name": "Theirs"}},
                          key=self.key)
        self.visitor.expect("status of 412")
        self.page.get_by_role("button", name="Save changes · 1 credit").click()
        self.page.get_by_role("button", name="Apply my changes to the newest version · 1 credit").click()
        expect(self.page.get_by_role("heading", name="Theirs")).to_be_visible()
        self.page.get_by_role("button", name="Save changes · 1 credit").click()
        expect(self.page.get_by_role("heading", name="Theirs", level=1)).to_be_visible()
        spots = self.read(asset_id)["spots"]
        self.assertEqual(spots[:2], [SPOTS[1], unknown])
        self.assertEqual([spot["spot_id"] for spot in spots[2:]], [10, 11, 12, 13, 14])
        self.assertEqual(self.page.evaluate("Object.keys(localStorage)"), [])
