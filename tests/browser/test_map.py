"""The planner's map: its tiles, its use by pointer and keyboard, and its tile grants."""

from playwright.sync_api import expect

from maps import MapsTest

# Returns the window position, in pixels, of a feature in a layer that the pointer can reach.
POINT = """(layer) => {
  const box = map.getCanvas().getBoundingClientRect();
  for (const { geometry } of map.queryRenderedFeatures({ layers: [layer] })) {
    const at = map.project(geometry.coordinates), x = at.x + box.x, y = at.y + box.y;
    if (document.elementFromPoint(x, y) === map.getCanvas()) return { x, y };
  }
  return null;
}"""
NEAREST_CLUSTER = """() => {
  const [cluster] = map.queryRenderedFeatures({ layers: ['displays-clusters'] });
  map.jumpTo({ center: cluster.geometry.coordinates, zoom: Math.max(map.getZoom() + 1, 9) });
}"""
OTHER_NEAREST = """(name) => !map.isMoving()
  && document.querySelector('.nearby button')?.innerText !== name"""
ANY_DISPLAYS = """() => {
  const layers = ['displays-singles', 'displays-clusters'];
  return map.queryRenderedFeatures({ layers }).length > 0;
}"""
TIMES_SQUARE = "map.jumpTo({ center: [-73.985, 40.758], zoom: 13 })"


class MapTest(MapsTest):
    logs_network = True

    def test_base_map_shows_land_water_boundaries_and_names(self):
        page = self.planner().page
        rendered = "(layer) => map.queryRenderedFeatures({ layers: [layer] }).length > 0"
        for position, layers in [("{ center: [-98, 39], zoom: 3.5 }", ["land", "ocean", "lake", "states",
                                                                      "countries", "state-names"]),
                                 ("{ center: [-74.6, 40.9], zoom: 9.5 }", ["counties", "county-names", "city-names"]),
                                 ("{ center: [-73.98, 40.7], zoom: 13 }", ["neighborhood-names"])]:
            page.evaluate(f"map.jumpTo({position})")
            for layer in layers:
                with self.subTest(layer):
                    self.until(page, rendered, layer)

    def test_click_zooms_into_a_cluster_and_opens_a_display(self):
        page = self.planner().page
        before = page.evaluate("map.getZoom()")
        point = self.until(page, POINT, "displays-clusters")
        page.mouse.click(point["x"], point["y"])
        self.until(page, "(before) => !map.isMoving() && map.getZoom() > before + 1.5", before)
        # Zoom in until displays are no longer clustered.
        for _ in range(10):
            self.drawn(page)
            point = page.evaluate(POINT, "displays-singles")
            if point:
                break
            page.evaluate(NEAREST_CLUSTER)
        page.mouse.click(point["x"], point["y"])
        told = page.locator(".maplibregl-popup .about")
        expect(told).to_contain_text("Display ")
        for fact in ("Media type", "Format", "Market"):
            expect(told).to_contain_text(fact)

    def test_keyboard_opens_clusters_down_to_a_display(self):
        page = self.planner().page
        page.evaluate(TIMES_SQUARE)
        self.drawn(page)
        page.get_by_text("Near map center").click()
        nearby = page.locator(".nearby button").first
        told = page.locator(".maplibregl-popup .about")
        for _ in range(10):
            name = nearby.inner_text()
            nearby.focus()
            page.keyboard.press("Enter")
            if told.count():
                break
            self.until(page, OTHER_NEAREST, name)
            self.drawn(page)
        expect(told).to_be_visible()
        page.keyboard.press("Escape")
        expect(told).to_have_count(0)
        expect(page.locator(".nearby button:focus, canvas:focus")).to_have_count(1)

    def test_expired_tile_token_is_replaced(self):
        person = self.planner()
        page = person.page
        refused = []

        def refuse(route):
            if len(refused) == 3:
                return route.fallback()
            refused.append(route.request.url)
            return route.fulfill(status=401, json={"error": {"code": "UNAUTHORIZED", "status": 401}})

        person.expect("status of 401")
        person.context.route("**/*.mvt?*", refuse)
        before = person.asked("/tilejson")
        with page.expect_request(lambda request: "/tilejson" in request.url):
            page.evaluate(TIMES_SQUARE)
        self.until(page, ANY_DISPLAYS)
        self.assertTrue(refused)
        self.assertEqual(person.asked("/tilejson"), before + 1)
        expect(page.get_by_role("main").get_by_role("alert")).to_have_count(0)

    def test_all_windows_share_one_tile_grant(self):
        self.planner()
        self.planner()
        grants = self.service.done("GET", "/v2/displays/tiles/grants", key=self.key)
        own = [grant["label"] for grant in grants if grant["allowed_origins"] == [self.service.origin]]
        self.assertEqual(own, ["portal"])
