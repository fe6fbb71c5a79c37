"""Display groups in the planner, with their names, colors, and windows."""

from playwright.sync_api import expect

import axe
from libraries import LibrariesTest
from plans import fill_plan, rows, search
from portal import ready

BROOKLYN = "/portal/planner?county_name=Brooklyn&digital=true"
WINDOW = {"start_date": "2027-04-05", "end_date": "2027-04-18"}


class PlanGroupsTest(LibrariesTest):
    def setUp(self):
        super().setUp()
        self.page = self.colleague().page
        self.page.goto(BROOKLYN)
        ready(self.page)
        search(self.page)
        self.add_first(30)

    def add_first(self, number):
        self.page.get_by_label("First", exact=True).fill(str(number))
        self.page.get_by_role("button", name="Add", exact=True).click()

    def new_group(self, name):
        self.page.get_by_role("button", name="New group").click()
        self.page.get_by_label("Group name").fill(name)

    def group(self, text):
        return self.page.get_by_role("button", name=text, exact=True)

    def test_windows_of_a_group_become_the_windows_of_its_spots(self):
        self.new_group("Launch")
        self.page.get_by_label("Color").select_option("Purple")
        self.add_first(10)
        expect(self.group("Launch 10")).to_be_visible()
        expect(self.group("New York 20")).to_be_visible()
        self.page.get_by_role("button", name="Add a window").click()
        self.page.get_by_label("Window 1, first day").fill(WINDOW["start_date"])
        self.page.get_by_label("Window 1, last day").fill(WINDOW["end_date"])
        self.assertEqual(axe.violations_in_all_looks(self.page), [])
        expect(self.page.get_by_text("Draft kept in this browser.")).to_be_visible()
        self.page.reload()
        ready(self.page)
        expect(self.group("New York 20")).to_be_visible()
        fill_plan(self.page, "groups-1")
        with self.page.expect_response("**/v2/scenarios/campaigns") as saved:
            self.page.get_by_role("button", name="Save campaign · 1 credit").click()
        spots = self.read(saved.value.json()["data"]["asset_id"])["spots"]
        self.assertEqual([spot.get("windows") for spot in spots], [[WINDOW]] * 10 + [None] * 20)

    def test_displays_are_moved_between_groups(self):
        self.new_group("Launch")
        self.page.get_by_label("Add displays to").select_option("Their market")
        self.group("New York 30").click()
        self.page.get_by_role("button", name="Move 30 displays", exact=True).click()
        expect(self.group("Launch 30")).to_be_visible()
        self.page.get_by_role("button", name="Undo").click()
        expect(self.group("Launch 0")).to_be_visible()
        self.group("New York 30").click()
        self.page.get_by_role("listbox", name="Selected in New York").get_by_role("option").first.click()
        self.page.get_by_role("button", name="Move LinkNYC").click()
        expect(self.group("Launch 1")).to_be_visible()
        expect(self.group("New York 29")).to_be_visible()
        self.page.get_by_role("button", name="Delete group").click()
        expect(self.group("New York 30")).to_be_visible()
        self.page.get_by_role("button", name="Undo").click()
        expect(self.group("Launch 1")).to_be_visible()

    def test_group_in_a_saved_campaign_sets_the_windows_of_its_spots(self):
        asset_id = self.campaign()
        self.page.goto(f"/portal/planner/{asset_id}")
        self.new_group("Late start")
        self.page.get_by_label("Add displays to").select_option("Their market")
        self.group("New York 2").click()
        self.page.get_by_role("button", name="Move 2 displays", exact=True).click()
        save = self.page.get_by_role("button", name="Save changes · 1 credit")
        self.page.get_by_role("button", name="Add a window").click()
        self.page.get_by_label("Window 1, first day").fill("2027-05-03")
        self.page.get_by_label("Window 1, last day").fill("")
        expect(self.page.get_by_text("Each window needs a first and a last day.")).to_be_visible()
        expect(save).to_be_disabled()
        self.page.get_by_label("Window 1, last day").fill("2027-05-16")
        self.assertEqual(axe.violations_in_all_looks(self.page), [])
        save.click()
        expect(self.page.get_by_role("heading", level=1)).to_contain_text("Spring launch")
        windows = [{"start_date": "2027-05-03", "end_date": "2027-05-16"}]
        self.assertEqual([spot["windows"] for spot in self.read(asset_id)["spots"]], [windows] * 2)

    def test_display_that_is_added_again_moves_to_the_chosen_group(self):
        self.new_group("Launch")
        rows(self.page).nth(2).click()
        rows(self.page).nth(4).click(modifiers=["Shift"])
        expect(self.group("Launch 3")).to_be_visible()
        expect(self.page.get_by_text("30 of 2,000 displays")).to_be_visible()
