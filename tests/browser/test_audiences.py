"""The audience map, whose areas must add up to the nation."""

import base64
import csv
import io
import re

from playwright.sync_api import expect

import axe
import keyboard
from people import EVERYONE, YOUNG_ADULTS
from portal import PortalTest, in_module, ready

AT_HOME = "POST /v2/measures/population/at_home"
COHORTS = {"service_data_product_name": "Population At Home"}
# Uses the page's own module to return the codes of the shapes on the map.
CODES = """async ({ sheet }, level) =>
  (await sheet(level)).features.map(({ properties }) => properties.code)"""
# Counts a screenshot's pixels of each color token.
PIXELS = """async ([picture, tokens]) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const paper = new OffscreenCanvas(image.width, image.height).getContext('2d');
  paper.drawImage(image, 0, 0);
  const { data } = paper.getImageData(0, 0, image.width, image.height);
  const style = getComputedStyle(document.documentElement);
  return tokens.map((token) => {
    const color = [1, 3, 5].map((at) => parseInt(style.getPropertyValue(token).trim().slice(at, at + 2), 16));
    let found = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (color.every((part, n) => Math.abs(data[at + n] - part) <= 2)) found += 1;
    }
    return found;
  });
}"""
SCALE = [f"--scale-{n}" for n in range(1, 6)]
AROUND = ["--low-1", "--middle", "--high-1"]


class AudiencesTest(PortalTest):
    def shown(self, page, level, area, cohort=YOUNG_ADULTS):
        """Loads a cohort's figures by area, and waits until the map shows them."""
        page.goto(f"/portal/audiences?cohort={cohort}&by={level}")
        expect(page.get_by_role("heading", level=2, name=re.compile(f"by {area}$"))).to_be_visible()
        ready(page)
        expect(page.locator(".map-sheet")).to_have_attribute("aria-busy", "false")

    def sums(self, page):
        """Returns the numbers below the legend, by label."""
        terms = page.locator(".sums dt").all_inner_texts()
        numbers = page.locator(".sums dd").all_inner_texts()
        return {term: int(number.replace(",", "")) for term, number in zip(terms, numbers)}

    def file(self, page):
        with page.expect_download() as started:
            page.get_by_role("button", name="Download CSV").click()
        text = started.value.path().read_bytes().decode()
        self.assertTrue(text.endswith("\r\n"))
        return started.value.suggested_filename, text

    def assert_drawn_in(self, page, tokens):
        """Waits until the map has more than 100 pixels of each color."""
        for _ in range(20):
            picture = base64.b64encode(page.locator(".map-sheet canvas").screenshot()).decode()
            pixels = page.evaluate(PIXELS, [picture, tokens])
            if all(number > 100 for number in pixels):
                return
            axe.settle(page)
        self.fail(f"the map has too few pixels of {tokens}: {pixels}")

    def test_counties_on_the_map_and_in_the_csv_add_up_to_the_nation(self):
        person = self.owner()
        page = person.page
        self.shown(page, "COUNTY", "county")
        sums = self.sums(page)
        nation = sums["Nation"]
        self.assertEqual(sums, {"In 3,144 counties on the map": nation, "Nation": nation})
        name, text = self.file(page)
        self.assertEqual(name, "adults-18-34-by-counties-20240701.csv")
        codes = set(in_module(page, "map/areas.js", CODES, "COUNTY"))
        rows = [row for row in csv.DictReader(io.StringIO(text)) if row["geography_id"][-5:] in codes]
        self.assertEqual(sum(int(row["persons"]) for row in rows), nation)
        self.assertEqual(person.asked(AT_HOME), 1)

    def test_states_on_the_map_and_in_the_table_add_up_to_the_nation(self):
        page = self.owner().page
        self.shown(page, "STATE", "state")
        sums = self.sums(page)
        self.assertEqual(sums["In 51 states on the map"], sums["Nation"])
        listed = []
        while True:
            listed += page.locator("tbody td:nth-child(2)").all_inner_texts()
            following = page.get_by_role("button", name="Next")
            if following.is_disabled():
                break
            following.click()
        self.assertEqual(len(listed), 51)
        self.assertEqual(sum(int(number.replace(",", "")) for number in listed), sums["Nation"])

    def test_markets_and_people_outside_them_add_up_to_the_nation(self):
        page = self.owner().page
        self.shown(page, "DMA", "market")
        sums = self.sums(page)
        nation = sums.pop("Nation")
        undrawn = "In Palm Springs (not on the map)"
        self.assertEqual(list(sums), ["In 209 markets on the map", undrawn, "Outside all markets"])
        self.assertEqual(sum(sums.values()), nation)

    def test_words_that_no_cohort_has_find_composed_cohorts(self):
        page = self.owner().page
        page.goto("/portal/audiences")
        page.get_by_label("Cohort", exact=True).fill("hispanic adults 25-54 100k")
        page.get_by_role("radio", name=re.compile("^Adults 25-54 . Hispanic of any race .*100K\\+")).check()
        page.get_by_role("button", name="Show by county · 2 credits").click()
        title = re.compile("^Adults 25-54 .* by county$")
        expect(page.get_by_role("heading", level=2, name=title)).to_be_visible()
        ready(page)
        sums = self.sums(page)
        self.assertEqual(sums["In 3,144 counties on the map"], sums["Nation"])

    def test_blocks_compose_a_cohort_and_its_link_opens_with_figures(self):
        person = self.owner()
        page = person.page
        page.goto("/portal/audiences")
        blocks = page.get_by_role("group", name="Combine groups")
        for block, group in [("Age", "Adults 25-54"), ("Sex", "Females"),
                             ("Ethnicity", "Hispanic of any race"), ("Household income", "100K+")]:
            blocks.get_by_label(block, exact=True).select_option(group)
        page.get_by_role("button", name="Show by county · 2 credits").click()
        title = page.get_by_role("heading", level=2, name=re.compile("^Adults 25-54 .*Females.* by county$"))
        expect(title).to_be_visible()
        page.reload()
        expect(title).to_be_visible()
        expect(blocks.get_by_label("Sex", exact=True).locator("option:checked")).to_have_text("Females")
        self.assertEqual(person.asked(AT_HOME), 2)

    def test_combination_that_does_not_exist_is_explained(self):
        visitor = self.person()
        visitor.expect("status of 400")
        page = visitor.page
        cohorts = self.service.call("POST", "/v2/cohorts/search", COHORTS, key=self.key).json["cohorts"]
        found = {cohort["cohort_description"]: cohort["service_segment_id"] for cohort in cohorts}
        men, women = found["Males"], found["Females"]
        for parts, reason in [
            ([men, women], "This combination doesn’t exist: Males and Females. Choose one of them."),
            ([EVERYONE, men], "Everyone can’t be combined with other groups."),
        ]:
            with self.subTest(reason):
                page.goto(f"/portal/audiences?cohort={'.'.join(parts)}")
                expect(page.get_by_role("group", name="Combine groups")).to_contain_text(reason)
                expect(page.get_by_role("button", name="Show by county · 2 credits")).to_be_disabled()

    def test_top_areas_are_ranked_by_the_measure_or_by_people(self):
        page = self.owner().page
        self.shown(page, "STATE", "state")
        top = page.get_by_role("region", name="Top 10 states")
        expect(top.get_by_role("listitem").first).to_contain_text("%")
        page.get_by_role("radio", name="People").check()
        expect(top.get_by_role("listitem").first).to_contain_text(re.compile(r"California\s*[\d,]+"))

    def test_two_audiences_are_compared_and_their_link_opens_both(self):
        person = self.owner()
        page = person.page
        self.shown(page, "STATE", "state")
        blocks = page.get_by_role("group", name="Combine groups")
        blocks.get_by_label("Age", exact=True).select_option("Adults 65+")
        page.get_by_role("button", name="Show by state · 2 credits").click()
        page.get_by_label("Compare with").select_option("Adults 18-34")
        table = page.get_by_role("table", name=re.compile("with the largest differences"))
        utah = table.get_by_role("row", name=re.compile("^Utah"))
        first, second, difference = (utah.locator("td.number").nth(n).inner_text() for n in range(3))
        expected = float(second[:-1]) - float(first[:-1])
        self.assertAlmostEqual(float(difference.removesuffix(" points").replace("−", "-")), expected, delta=0.11)
        self.assertEqual(axe.violations_in_all_looks(page), [])
        page.reload()
        expect(table.get_by_role("row", name=re.compile("^Utah"))).to_be_visible()
        self.assertEqual(person.asked(AT_HOME), 4)

    def test_downloaded_csv_matches_the_csv_of_the_api(self):
        person = self.owner()
        page = person.page
        self.shown(page, "STATE", "state")
        _, text = self.file(page)
        body = {"service_segment_id": YOUNG_ADULTS, "geography_type": ["STATE"]}
        made = self.service.call("POST", "/v2/measures/population/at_home", body, token=person.token,
                                 headers={"Accept": "text/csv"})
        self.assertEqual(text, made.text)

    def test_switching_between_share_and_index_makes_no_call(self):
        person = self.owner()
        page = person.page
        self.shown(page, "STATE", "state")
        legend = page.locator(".classes")
        expect(legend.get_by_role("heading")).to_have_text("Share of residents")
        expect(legend).to_contain_text("Each color covers a fifth of the states")
        self.assert_drawn_in(page, SCALE)
        page.get_by_role("radio", name="Index").check()
        expect(legend.get_by_role("heading")).to_have_text("Index")
        expect(page).to_have_url(re.compile("show=index"))
        expect(page.get_by_role("columnheader", name="Index")).to_have_attribute("aria-sort", "descending")
        # The lowest and highest classes contain at most a few small states.
        self.assert_drawn_in(page, AROUND)
        page.reload()
        # After a reload, the address shows the same figures.
        expect(page.get_by_role("radio", name="Index").first).to_be_checked()
        self.assertEqual(person.asked(AT_HOME), 2)

    def test_pointing_shows_figures_and_a_click_selects_the_area(self):
        page = self.owner().page
        self.shown(page, "STATE", "state")
        box = page.locator(".map-sheet canvas").bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.45)
        expect(page.locator(".pointed")).to_contain_text("Adults 18-34")
        name = page.locator(".pointed strong").inner_text()
        page.mouse.down()
        page.mouse.up()
        expect(page.locator(".picked")).to_contain_text(name)
        expect(page.locator("tr.is-chosen")).to_contain_text(name)
        page.get_by_role("button", name="District of Columbia").first.press("Enter")
        expect(page.locator(".picked")).to_contain_text("District of Columbia")

    def test_cohort_search_matches_word_prefixes(self):
        page = self.owner().page
        page.goto("/portal/audiences")
        ready(page)
        page.get_by_label("Cohort", exact=True).fill("wom 25")
        expect(page.get_by_text("1 cohort", exact=True)).to_be_visible()
        expect(page.get_by_role("radio", name="Women 25-54")).to_be_visible()
        page.get_by_label("Cohort", exact=True).fill("omen")
        expect(page.get_by_text("No cohorts match")).to_be_visible()

    def test_audience_map_is_accessible(self):
        page = self.owner().page
        self.shown(page, "STATE", "state")
        self.assertEqual(axe.violations_in_all_looks(page), [])
        self.assertEqual(keyboard.faults(page), [])
