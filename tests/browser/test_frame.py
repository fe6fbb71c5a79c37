"""The elements on every page: the command palette, the account menu, and the label for modelled figures."""

import re

from playwright.sync_api import expect

from account import AccountTest
from people import create_campaign
from portal import first_page, in_module, ready


class FrameTest(AccountTest):
    def test_palette_finds_pages_actions_and_assets_by_keyboard(self):
        page = self.person().page
        in_module(page, "ui/commands.js", """({ commands }) => {
          const offered = { name: 'Spring launch', hint: 'campaign', words: '0190-abc', url: '/portal/team' };
          commands.value = [offered];
        }""")
        found = page.get_by_role("option")
        for typed, first in [("members", "Team"), ("ep", "Event planner"), ("spring", "Spring launch"),
                             ("0190", "Spring launch"), ("sign", "Sign out"), ("evénts", "Events")]:
            page.keyboard.press("Control+k")
            page.keyboard.type(typed)
            expect(found.first, typed).to_contain_text(first)
            page.keyboard.press("Escape")
            expect(found).to_have_count(0)
        page.keyboard.press("Control+k")
        self.no_violations(page)
        page.keyboard.type("zzz")
        expect(self.dialog(page)).to_contain_text("No matches.")
        campaigns = page.get_by_role("link", name="Find campaigns whose names start with “zzz”")
        expect(campaigns).to_have_attribute("href", re.compile(r"/campaigns\?name=zzz$"))
        page.keyboard.press("Control+a")
        page.keyboard.type("e")
        page.keyboard.press("ArrowDown")
        expect(found.nth(1)).to_have_attribute("aria-selected", "true")
        page.keyboard.press("Control+a")
        page.keyboard.type("spring l")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("/portal/team$"))
        expect(page.get_by_role("main")).to_be_focused()

    def test_palette_finds_a_saved_campaign_after_a_reload(self):
        create_campaign(self.service, campaign={"name": "Harbor lights"})
        page = first_page(self.colleague())
        page.reload()
        ready(page)
        page.keyboard.press("Control+k")
        page.keyboard.type("lights")
        expect(page.get_by_role("option", name="Harbor lights")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Harbor lights")

    def test_bar_has_the_pages_by_group_and_the_menu_those_of_the_organization(self):
        page = first_page(self.colleague())
        for group, names in [("Plan", ["Planner", "Campaigns", "Events"]), ("Insight", ["Audiences", "Places"])]:
            links = page.get_by_role("group", name=group).get_by_role("link")
            expect(links).to_have_text(names)
        page.get_by_label("Your account").click()
        links = page.get_by_role("navigation", name="Organization").get_by_role("link")
        expect(links).to_have_text(["Keys", "Webhooks", "Usage", "Team", "Tile grants", "Docs",
                                   "First steps"])
        links.filter(has_text="Team").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Team")

    def test_account_menu_closes_on_escape_and_outside_clicks(self):
        page = self.person().page
        letter, sign_out = page.get_by_label("Your account"), page.get_by_role("button", name="Sign out")
        letter.click()
        expect(sign_out).to_be_visible()
        self.no_violations(page)
        page.keyboard.press("Escape")
        expect(sign_out).to_be_hidden()
        expect(letter).to_be_focused()
        letter.click()
        page.get_by_role("heading", level=1).click()
        expect(sign_out).to_be_hidden()

    def test_modeled_figures_show_their_sources_and_measured_ones_have_no_label(self):
        page = self.person().page
        for maturity, mark in [("synthetic-only", "Sample data: visits are modelled"),
                               ("research-preview", "Preview: visits are computed"), ("production", "")]:
            in_module(page, "ui/modelled.js", """async ({ Modelled }, maturity) => {
              const { h, render } = await import('preact');
              const at = document.getElementById('mark') ?? document.createElement('div');
              at.id = 'mark';
              document.querySelector('main').append(at);
              const provenance = { source: 'a model of visits', source_doc: 'http://127.0.0.1/',
                data_maturity: maturity, methodology_version: '1.0', data_freshness: 'static',
                data_vintage: '2026-08-02', known_gaps: ['brands are incomplete'],
                sources: [{ source: 'chains', data_vintage: '2024-11-30' }], sources_total: 3 };
              render(h(Modelled, { provenance }), at);
            }""", maturity)
            expect(page.locator("#mark summary")).to_have_count(1 if mark else 0)
            if mark:
                expect(page.locator("#mark summary")).to_have_text(mark)
                page.locator("#mark summary").click()
                said = ["a model of visits", "Aug 2, 2026", "brands are incomplete", "chains", "and 2 more"]
                for part in said:
                    expect(page.locator("#mark")).to_contain_text(part)
                self.no_violations(page)
                page.keyboard.press("Escape")
