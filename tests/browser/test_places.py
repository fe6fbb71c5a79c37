"""Place search, and the page that shows a place's report as charts."""

import csv
import pathlib
import re

from playwright.sync_api import expect

import axe
import keyboard
from people import COFFEE_SHOP
from portal import PortalTest, details, ready, refuse_once


class PlacesTest(PortalTest):
    def setUp(self):
        self.visitor = self.colleague()
        self.page = self.visitor.page

    def open(self, address):
        self.page.goto(f"/portal/{address}")
        ready(self.page)

    def report(self, *ids):
        body = {"place_id": list(ids)}
        return self.service.call("POST", "/v2/measures/place/report", body, key=self.key).json

    def found(self, **filter):
        return self.service.call("POST", "/v2/msearch", {"filter": filter}, key=self.key).data

    def search(self, **texts):
        for label, text in texts.items():
            self.page.get_by_role("search").get_by_label(label, exact=True).fill(text)
        self.page.get_by_role("button", name=re.compile("^Search · 1 credit")).click()

    def spent(self, text):
        expect(self.page.get_by_role("contentinfo")).to_contain_text(text)

    def test_search_with_a_typo_finds_places_and_is_cached(self):
        self.open("places")
        self.search(Name="starbcks", City="Seattle", State="WA")
        total = self.found(place_name="starbcks", city="Seattle", state="WA")["pagination"]["total_results"]
        expect(self.page.locator(".total")).to_contain_text(f"{total:,} place")
        self.assertRegex(self.page.url, r"name=starbcks&city=Seattle&state=WA$")
        self.spent("Used so far: 2 calls, 1 credit")
        row = self.page.get_by_role("listitem").filter(has=self.page.get_by_role("link", name="Report")).first
        name = row.locator("strong").inner_text()
        row.get_by_role("link", name=f"Report on {name}").click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text(name)
        ready(self.page)
        self.spent("Used so far: 1 call, 1 credit")
        searches = self.visitor.asked("POST /v2/msearch")
        self.page.go_back()
        expect(self.page.locator(".total")).to_contain_text(f"{total:,} place")
        self.assertEqual(self.visitor.asked("POST /v2/msearch"), searches)

    def test_filters_in_the_address_fill_in_the_form_without_a_search(self):
        self.open("places?type=Coffee+Shop&city=Seattle&state=WA&sort=visits")
        expect(self.page.get_by_text("Ready to search")).to_be_visible()
        self.spent("Used so far: 1 call, 0 credits")
        self.assertEqual(self.visitor.asked("POST /v2/msearch"), 0)
        self.search()
        rows = self.page.locator(".results li")
        expect(rows.first).to_contain_text("Coffee Shop")
        texts = " ".join(rows.all_inner_texts())
        visits = [int(text.replace(",", "")) for text in re.findall(r"([\d,]+) weekly visits", texts)]
        self.assertEqual(visits, sorted(visits, reverse=True))
        expect(self.page.get_by_label("Type", exact=True)).to_have_value("Coffee Shop")
        expect(self.page.get_by_label("City", exact=True)).to_have_value("Seattle")

    def test_brand_field_suggests_brands_that_are_loaded_once(self):
        brands = [item["brand"] for item in self.service.done("GET", "/v2/place/brands", key=self.key)]
        self.open("places")
        field = self.page.get_by_role("search").get_by_label("Brand", exact=True)
        self.assertEqual(self.visitor.asked("GET /v2/place/brands"), 0)
        field.focus()
        expect(field).to_have_attribute("list", re.compile("."))
        suggested = field.evaluate("input => [...input.list.options].map((option) => option.value)")
        self.assertEqual(suggested, brands)
        self.page.get_by_role("link", name="Planner").click()
        self.page.go_back()
        field.focus()
        expect(field).to_have_attribute("list", re.compile("."))
        self.assertEqual(self.visitor.asked("GET /v2/place/brands"), 1)

    def test_search_near_a_point_has_pages(self):
        self.open("places?near=47.6062,-122.3321&within=3&sort=distance")
        self.search()
        expect(self.page.locator(".total")).to_contain_text("1–50 of")
        expect(self.page.locator(".results li").first).to_contain_text(re.compile(r"0\.\d mi"))
        self.page.get_by_role("button", name="Next · 1 credit").click()
        expect(self.page.locator(".total")).to_contain_text("51–")
        self.assertIn("page=2", self.page.url)

    def test_search_uses_the_circle_drawn_on_the_map(self):
        self.open("places?city=Seattle&state=WA")
        self.search()
        expect(self.page.locator(".total")).to_be_visible()
        self.page.get_by_role("button", name="Circle").click()
        box = self.page.locator(".map").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 80, y, steps=4)
        self.page.mouse.up()
        expect(self.page.get_by_text("Within the circle on the map")).to_be_visible()
        self.search()
        expect(self.page).to_have_url(re.compile(r"near=47\.\d+.*within=[\d.]+"))
        self.assertGreater(self.page.locator(".results li").count(), 0)

    def test_errors_are_shown_at_their_fields_before_and_after_sending(self):
        self.open("places?near=here")
        searches = self.visitor.asked("POST /v2/msearch")
        self.search()
        expect(self.page.get_by_label("Near")).to_have_attribute("aria-invalid", "true")
        self.assertEqual(self.visitor.asked("POST /v2/msearch"), searches)
        self.visitor.expect("status of 400")
        self.open("places?type=Cofee+Shop")
        self.search()
        expect(self.page.locator(".field.wrong .error")).to_contain_text("wasn’t accepted")
        expect(details(self.page.get_by_role("alert"))).to_contain_text('the closest match is "Coffee Shop"')

    def test_csv_download_contains_all_results(self):
        self.open("places?name=starbucks&city=Seattle&state=WA")
        self.search()
        total = self.found(place_name="starbucks", city="Seattle", state="WA")["pagination"]["total_results"]
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Download all as CSV · 1 credit").click()
        rows = list(csv.DictReader(pathlib.Path(download.value.path()).read_text().splitlines()))
        self.assertEqual(len(rows), total)

    def test_heat_map_hours_add_up_to_the_weekly_visits(self):
        report = self.report(COFFEE_SHOP)
        self.open(f"places/{COFFEE_SHOP}")
        cells = self.page.get_by_role("gridcell").all_text_contents()
        self.assertEqual(len(cells), 7 * 24)
        self.assertEqual(sum(int(cell.replace(",", "")) for cell in cells), report["places"][0]["visits"])
        monday = self.page.locator('[data-cell="0-0"]')
        monday.focus()
        expect(self.page.locator(".heat-map output")).to_contain_text("Monday 12 AM–1 AM")
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("ArrowRight")
        expect(self.page.locator(".heat-map output")).to_contain_text("Tuesday 1 AM–2 AM")

    def test_place_page_shows_the_figures_of_the_report(self):
        report = self.report(COFFEE_SHOP)
        place = report["places"][0]
        self.open(f"places/{COFFEE_SHOP}")
        numbers = self.page.locator(".numbers").inner_text()
        for value in (place["visits"], place["visits_unique_persons"], place["percentile"]):
            self.assertIn(f"{value:,}", numbers)
        expect(self.page.get_by_text("Sample data: visits are modelled")).to_be_visible()
        expect(self.page.locator(".typical").first).to_be_visible()
        lengths = self.page.get_by_role("region", name=re.compile("^Visits by dwell time"))
        expect(lengths).to_contain_text(f"{100 * report['dwell']['persons_000_030min']:.1f}%")
        self.page.get_by_label("Category").select_option("Household income")
        wanted = [segment for segment in report["segments"] if segment["category"] == "Household income"]
        wanted.sort(key=lambda segment: -segment["index"])
        rows = self.page.locator(".index-bars tbody tr")
        expect(rows).to_have_count(len(wanted))
        self.assertEqual([int(text) for text in rows.locator("td:nth-child(3)").all_inner_texts()],
                         [int(segment["index"] + 0.5) for segment in wanted])
        self.page.get_by_label("Group by").select_option("county")
        origins = self.page.get_by_role("region", name=re.compile("^Weekly visits by visitors"))
        for area in report["county"][:3]:
            expect(origins).to_contain_text(f"{area['weekly_visits']:,}")

    def test_zip_codes_load_on_request_with_the_announced_calls(self):
        self.open(f"places/{COFFEE_SHOP}")
        asked = self.visitor.asked("/v2/markets")
        button = self.page.get_by_role("button", name=re.compile("^Show ZIP codes on the map · free"))
        calls = int(re.search(r"(\d) call", button.inner_text())[1])
        button.click()
        expect(self.page.get_by_text(re.compile(r"Circles at population centers: [\d,]+ ZIP codes?"))).to_be_visible()
        self.assertEqual(self.visitor.asked("/v2/markets") - asked, calls)

    def test_two_places_are_compared_on_the_same_scales(self):
        found = self.found(place_type_name="Coffee Shop", city="Seattle", state="WA")["results"]
        other = next(place["place_id"] for place in found if place["place_id"] != COFFEE_SHOP)
        self.open(f"places/{COFFEE_SHOP}?with={other}")
        self.spent("Used so far: 3 calls, 3 credits")
        self.assertEqual(self.page.get_by_role("grid").count(), 2)
        for grid, id in zip(self.page.get_by_role("grid").all(), (COFFEE_SHOP, other)):
            cells = grid.get_by_role("gridcell").all_text_contents()
            visits = self.report(id)["places"][0]["visits"]
            self.assertEqual(sum(int(cell.replace(",", "")) for cell in cells), visits)
        legends = self.page.locator(".heat-map .legend").all_inner_texts()
        self.assertEqual(legends[0], legends[1])
        week = self.page.get_by_role("table", name="An average week").get_by_role("row", name="Weekly visits")
        cells = [cell.replace(",", "") for cell in week.locator("td.number").all_inner_texts()]
        first, second, difference = (int(cell.replace("−", "-")) for cell in cells)
        self.assertEqual(second - first, difference)
        ages = self.page.get_by_role("table", name="Age: index (nation = 100)", exact=True)
        expect(ages.get_by_role("columnheader", name="Difference")).to_be_visible()
        self.assertEqual(axe.violations_in_all_looks(self.page), [])
        self.page.get_by_role("button", name="Stop comparing").click()
        expect(self.page.get_by_role("grid")).to_have_count(1)
        self.assertEqual(self.visitor.asked("POST /v2/measures/place/report"), 2)

    def test_comparison_is_found_from_the_place_page(self):
        self.open(f"places/{COFFEE_SHOP}")
        self.page.get_by_text("Compare with another place").click()
        self.page.get_by_role("search").get_by_role("button", name="Search · 1 credit").click()
        self.page.locator(".offered a").first.click()
        expect(self.page).to_have_url(re.compile(r"\?with=\d+$"))
        expect(self.page.get_by_role("grid")).to_have_count(2)
        self.spent("Used so far: 4 calls, 4 credits")

    def test_failed_place_types_can_be_loaded_again(self):
        self.visitor.expect("status of 503")
        refuse_once(self.page, "**/v2/place/types")
        self.page.goto("/portal/places")
        unread = self.page.get_by_role("search").locator(".unread")
        expect(unread).to_contain_text("Place types couldn’t be loaded.")
        unread.get_by_role("button", name="Try again").click()
        self.page.get_by_label("Type", exact=True).select_option("Coffee Shop")
        expect(unread).to_have_count(0)

    def test_unknown_place_shows_not_found(self):
        self.visitor.expect("status of 404")
        for id in ("1", "nothing"):
            self.open(f"places/{id}")
            expect(self.page.get_by_role("heading", level=1)).to_have_text(f"Place {id} not found")

    def test_failed_report_shows_one_error_and_can_be_retried(self):
        self.visitor.expect("Failed to load resource")
        self.page.route("**/v2/measures/place/report", lambda route: route.abort(), times=1)
        self.open(f"places/{COFFEE_SHOP}")
        expect(self.page.get_by_role("alert")).to_have_count(1)
        expect(self.page.get_by_role("alert")).to_contain_text("Marquee isn’t responding.")
        self.page.get_by_role("button", name="Try again").click()
        expect(self.page.get_by_role("grid")).to_be_visible()

    def test_unmeasured_place_is_shown_without_charts(self):
        self.visitor.expect("status of 404")
        never = {"error": {"code": "NOT_FOUND", "message": "no place of these was measured", "status": 404}}
        self.page.route("**/v2/measures/place/report", lambda route: route.fulfill(status=404, json=never))
        self.open(f"places/{COFFEE_SHOP}")
        expect(self.page.get_by_text("This place has no visit data.")).to_be_visible()
        expect(self.page.get_by_role("alert")).to_have_count(0)

    def test_history_of_a_modelled_place_is_not_counted(self):
        self.open(f"places/{COFFEE_SHOP}")
        expect(self.page.get_by_text("Past visits to this place haven’t been counted.")).to_be_visible()

    def test_weeks_are_selected_by_keyboard(self):
        report = self.report(COFFEE_SHOP)
        starts = ("2026-07-20", "2026-07-27", "2026-08-03")
        weeks = [{"id": f"2026-W{week}", "week_start": start, "visits": 3000 + week}
                 for week, start in zip(range(30, 33), starts, strict=True)]
        report["history"]["week"] = weeks
        self.page.route("**/v2/measures/place/report", lambda route: route.fulfill(json=report))
        self.open(f"places/{COFFEE_SHOP}")
        slider = self.page.get_by_role("slider")
        slider.focus()
        self.page.keyboard.press("Home")
        expect(self.page.locator(".columns output")).to_contain_text(f"{weeks[0]['visits']:,} visits")
        self.page.keyboard.press("ArrowRight")
        expect(self.page.locator(".columns output")).to_contain_text(f"{weeks[1]['visits']:,} visits")
        rows = self.page.locator(".columns tbody td").all_text_contents()
        self.assertEqual([int(row.replace(",", "")) for row in rows], [week["visits"] for week in weeks])

    def test_searches_and_reports_are_accessible(self):
        search = "places?city=Seattle&state=WA&type=Coffee+Shop&county=King+County&near=47.6,-122.3"
        for address in (search, f"places/{COFFEE_SHOP}"):
            with self.subTest(address):
                self.open(address)
                if address == search:
                    self.search()
                    self.page.locator(".total").wait_for()
                folded = self.page.locator("main details:is(.compare, .search-form *)")
                folded.evaluate("folded => { folded.open = true; }")
                self.assertEqual(axe.violations_in_all_looks(self.page), [])
                self.page.set_viewport_size({"width": 1280, "height": 900})
                self.assertEqual(keyboard.faults(self.page), [])
