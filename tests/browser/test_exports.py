"""Exports of campaigns and of the planner's plan: Excel, CSV, GeoJSON, and the printed page."""

import csv
import io
import json
import zipfile

import geopandas
import openpyxl
import pypdf
from playwright.sync_api import expect

import axe
from journeys import journey
from libraries import SPOTS, LibrariesTest
from people import create_campaign
from plans import rows, search
from portal import ready
from test_estimates import UNKNOWN, estimate

MARK = "are modelled, not measured."


class ExportsTest(LibrariesTest):
    def setUp(self):
        super().setUp()
        self.page = self.colleague().page

    def opened(self, **changes):
        spots = [*SPOTS, {"display_id": UNKNOWN, "spot_id": 3}]
        self.open(self.page, create_campaign(self.service, **{"spots": spots, **changes}))
        expect(self.page.locator("canvas")).to_be_visible()

    def exported(self, name):
        """Exports the campaign or the plan. Returns the file's name and content."""
        menu = self.page.locator(".export")
        if not menu.get_by_role("button", name=name, exact=True).is_visible():
            menu.locator("summary").click()
        with self.page.expect_download() as kept:
            menu.get_by_role("button", name=name, exact=True).click()
        return kept.value.suggested_filename, kept.value.path().read_bytes()

    def test_excel_workbook_has_a_marked_sheet_for_each_part(self):
        self.opened()
        estimate(self.page)
        with journey(self.page, "export a campaign as an Excel workbook", most=2):
            name, content = self.exported("Excel")
        self.assertEqual(name, "spring-launch.xlsx")
        sheets = sheets_of(content)
        self.assertEqual([*sheets], ["Plan", "Displays", "By week", "By market", "By contacts"])
        for sheet, lines in sheets.items():
            with self.subTest(sheet):
                self.assertIn("not measured", " ".join(map(str, lines[0] + lines[1])))
        displays = table(sheets["Displays"])
        self.assertEqual([row["Display ID"] for row in displays],
                         [*(spot["display_id"] for spot in SPOTS), UNKNOWN])
        first = displays[0]
        self.assertEqual(first["Address"], "1626 BROADWAY")
        self.assertEqual((first["Height (ft)"], first["Width (ft)"]), (4, 2.25))
        self.assertEqual((first["Impressions per week"], first["Impressions source"]), (71000, "modelled"))
        self.assertEqual(displays[2]["Note"], "not in the current data")
        self.assertEqual(len(table(sheets["By week"])), 12)

    def test_csv_and_geojson_have_positions_and_provenance(self):
        self.opened(campaign={"name": "=1+1"})
        name, content = self.exported("CSV")
        self.assertEqual(name, "1-1.csv")
        self.assertTrue(content.startswith(b"\xef\xbb\xbf"))
        listed = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
        self.assertEqual(listed[0]["Latitude"], "40.760883")
        self.assertEqual({row["maturity"] for row in listed}, {"synthetic-only"})
        self.assertIn("modelled", listed[0]["source"])
        _, content = self.exported("GeoJSON")
        collection = json.loads(content)
        self.assertEqual(collection["meta"]["provenance"]["data_maturity"], "synthetic-only")
        # The unknown display doesn't have a position.
        displays = [spot["display_id"] for spot in SPOTS]
        self.assertEqual([str(feature["id"]) for feature in collection["features"]], displays)
        points = geopandas.read_file(io.BytesIO(content))
        self.assertEqual([*points["Display ID"]], displays)
        self.assertEqual((points.geometry[0].x, points.geometry[0].y), (-73.984277, 40.760883))

    def test_plan_is_exported_with_its_markets_and_what_is_modelled(self):
        page = self.page
        page.goto("/portal/planner?county_name=Brooklyn&digital=true")
        ready(page)
        search(page)
        rows(page).nth(0).locator(".tick").click()
        rows(page).nth(1).locator(".tick").click()
        _, content = self.exported("Excel")
        displays = table(sheets_of(content)["Displays"])
        self.assertEqual([row["Market"] for row in displays], ["New York"] * 2)
        self.assertEqual({row["Format"] for row in displays}, {"digital"})
        self.assertIn("impressions", displays[0]["Modelled"])
        self.assertTrue(all(row["Address"] and row["Impressions per week"] for row in displays))

    def test_group_of_each_display_is_exported_and_printed(self):
        page = self.page
        page.goto("/portal/planner?county_name=Brooklyn&digital=true")
        ready(page)
        search(page)
        rows(page).nth(0).locator(".tick").click()
        _, content = self.exported("CSV")
        self.assertNotIn("Group", next(csv.reader(io.StringIO(content.decode("utf-8-sig")))))
        page.get_by_role("button", name="New group").click()
        page.get_by_label("Group name").fill("Launch")
        rows(page).nth(1).locator(".tick").click()
        _, content = self.exported("CSV")
        listed = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
        self.assertEqual([row["Group"] for row in listed], ["", "Launch"])
        _, content = self.exported("GeoJSON")
        self.assertEqual([*geopandas.read_file(io.BytesIO(content))["Group"]], ["", "Launch"])
        _, content = self.exported("Excel")
        displays = table(sheets_of(content)["Displays"])
        self.assertEqual([row["Group"] for row in displays], ["", "Launch"])
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        printed = page.locator(".printed").get_by_role("cell", name="Launch", include_hidden=True)
        expect(printed).to_have_count(1)

    def test_printed_page_has_all_displays_and_no_navigation(self):
        self.opened()
        estimate(self.page)
        self.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.page.emulate_media(media="print")
        printed = self.page.locator(".printed")
        for text in ("Spring launch", "1626 BROADWAY", UNKNOWN, MARK, "Estimated with the model", "Sources"):
            expect(printed).to_contain_text(text)
        expect(self.page.get_by_role("navigation")).to_have_count(0)
        # The map's picture isn't blank.
        drawn = self.page.evaluate("""() => {
          const { width, height } = document.querySelector('.printed canvas');
          const picture = document.querySelector('.printed canvas').getContext('2d');
          return new Set(new Uint32Array(picture.getImageData(0, 0, width, height).data.buffer)).size;
        }""")
        self.assertGreater(drawn, 10)
        pages = pypdf.PdfReader(io.BytesIO(self.page.pdf(format="Letter"))).pages
        document = " ".join(page.extract_text() for page in pages)
        for text in ("Spring launch", "1626 BROADWAY", UNKNOWN, MARK, "Estimated with the model", "Sources"):
            self.assertIn(text, " ".join(document.split()))
        self.page.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(printed).to_have_count(0)
        self.page.emulate_media(media="screen")
        self.page.locator(".export summary").click()
        self.assertEqual(axe.violations_in_all_looks(self.page), [])


def sheets_of(content):
    """Returns the rows in each sheet of an Excel workbook, by name. Empty cells are empty strings."""
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    book = openpyxl.load_workbook(io.BytesIO(content))
    return {sheet.title: [["" if value is None else value for value in row] for row in sheet.values]
            for sheet in book}


def table(lines):
    """Returns the rows below the column titles. The titles follow the first empty row."""
    start = next(n for n, line in enumerate(lines) if not any(line)) + 1
    titles = lines[start]
    return [{title: value for title, value in zip(titles, line) if title} for line in lines[start + 1:]]
