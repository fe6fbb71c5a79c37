"""The usage page, whose figures must match what the calls cost."""

import csv
import datetime
import io
import re

from playwright.sync_api import expect

import axe
import keyboard
from people import COFFEE_SHOP, SUPPORT, YOUNG_ADULTS, move
from portal import PortalTest, in_module, ready

TODAY = datetime.datetime.now(datetime.UTC).date()
PACE = """({ paceOf, projectionOf }, [grants, rows, today]) => {
  const pace = paceOf(rows, today);
  const { runsOut, byExpiry, lost } = projectionOf(grants, pace, today);
  return { ...pace, runsOut, byExpiry, lost: lost.map(({ credits, on }) => [credits, on.slice(0, 10)]) };
}"""


def written(day):
    """Formats a day as the pages do."""
    return day.strftime("%b %-d, %Y")


def grant(remaining, expires_at=None, kind="purchased"):
    return {"kind": kind, "granted": remaining, "remaining": remaining, "expires_at": expires_at,
            "joined_at": None, "state": "live", "ended_at": None}


def used(day, credits):
    return {"day": day, "meter": "place_search", "calls": credits, "credits": credits}


class UsageTest(PortalTest):
    arguments = ("--support-url", SUPPORT)

    def usage(self, organization, reports=0, searches=0, credits=100, expires=None):
        """Opens the usage page for a new organization with promotional credits and some calls."""
        person, key = self.organization(organization, credits, expires)
        self.spend(key, reports, searches)
        person.page.goto("/portal/usage")
        ready(person.page)
        return person.page

    def organization(self, organization, credits, expires=None):
        """Returns the owner and an API key of a new organization with promotional credits."""
        person = self.signed_in()
        move(self.service, person.token, organization, credits, expires)
        asked = {"label": "Curl", "scopes": ["analytics", "inventory", "billing"]}
        return person, self.service.done("POST", "/v2/account/keys", asked, token=person.token)["api_key"]

    def spend(self, key, reports, searches):
        """Makes the given numbers of reports, for 2 credits each, and of searches, for 1 credit each."""
        search = {"filter": {"city": "seattle"}}
        body = {"service_segment_id": YOUNG_ADULTS, "geography_type": ["STATE"]}
        calls = [("/v2/measures/population/at_home", body)] * reports + [("/v2/msearch", search)] * searches
        for path, body in calls:
            answer = self.service.call("POST", path, body, key=key)
            self.assertEqual(answer.status, 200, answer.text)

    def test_usage_page_shows_costs_and_when_credits_run_out(self):
        page = self.usage("org_pace", reports=4, searches=12)
        left = page.get_by_role("region", name="Credits left")
        expect(left).to_contain_text("80 of 100 left")
        down = page.get_by_role("region", name="Runs out")
        expect(down).to_contain_text(written(TODAY + datetime.timedelta(days=4)))
        expect(down).to_contain_text("At 20 credits a day, based on today’s usage.")
        chart = page.get_by_role("region", name="Usage by product")
        expect(chart.locator(".readout")).to_have_text(
            f"{written(TODAY)} 20 credits: Place search 12, Resident population 8")
        chart.get_by_label("Calls", exact=True).check()
        expect(chart.locator(".readout")).to_contain_text("16 calls: Place search 12, Resident population 4")
        chart.get_by_text("Show as table").click()
        row = chart.get_by_role("row").nth(1)
        expect(row).to_contain_text(re.compile(rf"{written(TODAY)}\s*12\s*4\s*16"))
        expect(chart).to_contain_text("1,000 calls a minute")

    def test_usage_matches_the_credits_reported_by_responses(self):
        person, key = self.organization("org_sum", 100)
        page = person.page
        place = {"place_id": [COFFEE_SHOP]}
        calls = [("POST", "/v2/msearch", {"filter": {"city": "seattle"}}),
                 ("POST", "/v2/measures/population/at_home",
                  {"service_segment_id": YOUNG_ADULTS, "geography_type": ["STATE"]}),
                 ("GET", "/v2/markets?q=seattle", None), ("GET", "/v2/place/types", None),
                 ("POST", "/v2/measures/place/report", place), ("POST", "/v2/msearch", {"filter": 7})]
        answers = [self.service.call(*call, key=key) for call in calls]
        used = sum(int(answer.headers["X-Credits-Used"]) for answer in answers)
        self.assertGreater(used, 0)
        page.goto("/portal/usage")
        ready(page)
        expect(page.get_by_role("region", name="Credits left")).to_contain_text(f"{100 - used} of 100 left")
        chart = page.get_by_role("region", name="Usage by product")
        expect(chart.locator(".readout")).to_contain_text(f"{written(TODAY)} {used} credits")
        chart.get_by_label("Calls", exact=True).check()
        expect(chart.locator(".readout")).to_contain_text(f"{len(calls)} calls")
        row = page.get_by_role("region", name="Bills", exact=True).get_by_role("row").nth(1)
        expect(row.get_by_role("cell").nth(2)).to_have_text(str(used))

    def test_credits_left_are_those_of_the_latest_of_overlapping_calls(self):
        page = self.usage("org_overlap", reports=1)
        shown = in_module(page, "api/limits.js", """({ note, credits, shownLimit }) => {
          const left = (credits, calls) => new Headers({
            'X-Credits-Used': '1', 'X-Credits-Remaining': credits, 'X-RateLimit-Reset': '2000000000',
            'RateLimit-Policy': '"minute";q=10;w=60', 'RateLimit': `"minute";r=${calls};t=9` });
          const started = performance.now();
          note('list_campaigns', left(98, 8), started);
          note('list_campaigns', left(99, 9), started);
          return [credits.value, shownLimit.value.remaining];
        }""")
        self.assertEqual(shown, [98, 8])

    def test_header_shows_a_limit_of_some_operations_only_if_few_calls_are_left(self):
        page = self.usage("org_limits", reports=1)
        shown = in_module(page, "api/limits.js", """({ note, shownLimit }) => {
          const left = (searches) => new Headers({
            'X-RateLimit-Reset': '2000000000', 'RateLimit-Policy': '"minute";q=1000;w=60, "people";q=20;w=60',
            'RateLimit': `"minute";r=900;t=9, "people";r=${searches};t=9` });
          return [19, 10, 9, 0].map((searches) => {
            note('list_campaigns', left(searches), performance.now());
            return shownLimit.value.remaining;
          });
        }""")
        self.assertEqual(shown, [900, 900, 9, 0])

    def test_usage_csv_contains_the_days_shown(self):
        page = self.usage("org_file", reports=1, searches=2)
        page.get_by_label("90 days").check()
        with page.expect_download() as started:
            page.get_by_role("button", name="Download CSV").click()
        first = TODAY - datetime.timedelta(days=89)
        self.assertEqual(started.value.suggested_filename, f"usage-{first}-{TODAY}.csv")
        rows = list(csv.DictReader(io.StringIO(started.value.path().read_text())))
        self.assertEqual([(row["day"], row["meter"], row["calls"], row["credits"]) for row in rows],
                         [(str(TODAY), "place_search", "2", "2"),
                          (str(TODAY), "population_at_home", "1", "2")])

    def test_days_are_selected_by_keyboard(self):
        page = self.usage("org_days", reports=1)
        chart = page.get_by_role("region", name="Usage by product")
        day = chart.get_by_role("slider")
        expect(day).to_have_attribute("aria-valuetext", f"{written(TODAY)}: 2 credits: Resident population 2")
        day.press("ArrowLeft")
        yesterday = TODAY - datetime.timedelta(days=1)
        expect(chart.locator(".readout")).to_have_text(f"{written(yesterday)} 0 credits")

    def test_open_bill_is_marked_and_lists_usage(self):
        page = self.usage("org_bill", reports=2, searches=3)
        bills = page.get_by_role("region", name="Bills", exact=True)
        row = bills.get_by_role("row").nth(1)
        expect(row).to_contain_text(TODAY.strftime("%B %Y"))
        expect(row).to_contain_text("Open")
        expect(row.get_by_role("cell").nth(2)).to_have_text("7")
        expect(row.get_by_role("cell").nth(5)).to_have_text("$0.00")
        row.get_by_text("2 products").click()
        expect(row).to_contain_text("Resident population: 2 calls, 4 credits")

    def test_credits_that_will_expire_unused_are_shown_with_the_date(self):
        day = TODAY + datetime.timedelta(days=3)
        page = self.usage("org_expiry", reports=5, expires=day)
        down = page.get_by_role("region", name="Runs out")
        # Each of the next two days uses 10 credits before the remaining credits expire.
        expect(down).to_contain_text(f"70 promotional credits will expire unused on {written(day)}")
        expect(page.get_by_role("region", name="Credits left")).to_contain_text(f"Expires on {written(day)}")

    def test_organization_without_credits_sees_a_link_to_more(self):
        page = self.usage("org_none", credits=0)
        left = page.get_by_role("region", name="Credits left")
        expect(left).to_contain_text("No credits available.")
        expect(left.get_by_role("link", name="Get more credits")).to_have_attribute("href", SUPPORT)
        expect(page.get_by_role("region", name="Runs out")).to_contain_text("Now")
        self.assertEqual(axe.violations(page), [])

    def test_projection_uses_the_14_day_average_expiries_and_renewals(self):
        page = self.person().page
        today = "2026-11-22"
        recent = [used("2026-11-10", 70), used("2026-11-22", 70)]
        cases = [
            ("nothing used", [grant(50)], [], {"perDay": 0, "days": 14, "runsOut": None}),
            ("used on one day only", [grant(50)], [used(today, 25)],
             {"perDay": 25, "days": 1, "runsOut": "2026-11-24"}),
            ("average includes days without use", [grant(100)], recent,
             {"perDay": 140 / 13, "days": 13, "runsOut": "2026-12-02"}),
            ("older usage doesn't count", [grant(100)], [used("2026-11-01", 1000), used(today, 14)],
             {"perDay": 1, "days": 14, "runsOut": "2027-03-02"}),
            ("more refunded than used", [grant(50)], [used(today, -5)], {"perDay": 0, "runsOut": None}),
            ("first grant expires", [grant(100, "2026-11-25T00:00:00.000Z"), grant(20)], [used(today, 10)],
             {"runsOut": "2026-11-26", "byExpiry": False, "lost": [[80, "2026-11-25"]]}),
            ("all credits expire", [grant(100, "2026-12-01T12:00:00Z")], [used(today, 1)],
             {"runsOut": "2026-12-01", "byExpiry": True, "lost": [[91, "2026-12-01"]]}),
            ("metered credits renew monthly", [grant(400, "2026-12-01T00:00:00.000Z", "metered")],
             [used(today, 10)], {"runsOut": None, "lost": []}),
            ("nothing left", [], [used(today, 10)], {"runsOut": today}),
        ]
        for name, grants, rows, expected in cases:
            with self.subTest(name):
                found = in_module(page, "credits/pace.js", PACE, [grants, rows, today])
                self.assertEqual({key: found[key] for key in expected}, expected)

    def test_usage_charts_are_accessible(self):
        page = self.usage("org_axe", reports=1, searches=1)
        for summary in page.get_by_text("Show as table").all():
            summary.click()
        self.assertEqual(axe.violations_in_all_looks(page), [])
        self.assertEqual(keyboard.faults(page), [])
