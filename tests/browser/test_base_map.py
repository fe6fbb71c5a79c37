"""The planner's map with the administrator's own style, from another server."""

import http.server
import json
import threading

from playwright.sync_api import expect

import axe
from maps import MapsTest

ATTRIBUTION = "© Example Streets"
BROADWAY = {"type": "LineString", "coordinates": [[-74.02, 40.70], [-73.93, 40.87]]}
HAS_LAYER = "(layer) => map.queryRenderedFeatures({ layers: [layer] }).length > 0"


class StyleServer(http.server.BaseHTTPRequestHandler):
    """Serves a style and its streets."""

    def do_GET(self):
        found = {"/style.json": self.style, "/streets.json": lambda: BROADWAY}.get(self.path)
        self.send_response(200 if found else 404)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(json.dumps(found() if found else {}).encode())

    def style(self):
        host, port = self.server.server_address
        streets = f"http://{host}:{port}/streets.json"
        source = {"type": "geojson", "data": streets, "attribution": ATTRIBUTION}
        paint = {"line-color": "#888888", "line-width": 4}
        layers = [{"id": "ground", "type": "background", "paint": {"background-color": "#dddddd"}},
                  {"id": "streets", "type": "line", "source": "streets", "paint": paint}]
        return {"version": 8, "sources": {"streets": source}, "layers": layers}

    def log_message(self, *_):
        pass


SERVER = http.server.ThreadingHTTPServer(("127.0.0.1", 0), StyleServer)
ORIGIN = f"http://127.0.0.1:{SERVER.server_address[1]}"
threading.Thread(target=SERVER.serve_forever, daemon=True).start()


class OwnStyleTest(MapsTest):
    arguments = ("--basemap-style-url", f"{ORIGIN}/style.json")

    def test_map_shows_the_own_style_in_both_themes_below_the_displays(self):
        person = self.planner(ignored=[f"requested {ORIGIN}/"])
        page = person.page
        page.evaluate("map.jumpTo({ center: [-73.985, 40.758], zoom: 11 })")
        self.assert_own_style_is_below_the_displays(page)
        # Until the style is loaded again, the map can still show the light theme's layers.
        page.evaluate("map.once('style.load', () => { map.isDark = true })")
        page.emulate_media(color_scheme="dark")
        self.until(page, "() => map.isDark")
        self.assert_own_style_is_below_the_displays(page)
        expect(page.locator(".maplibregl-ctrl-attrib")).to_contain_text(ATTRIBUTION)
        self.assertEqual(person.asked("/v2/basemap/tiles/"), 0)

    def assert_own_style_is_below_the_displays(self, page):
        self.until(page, HAS_LAYER, "streets")
        self.until(page, HAS_LAYER, "displays-clusters")
        self.assertFalse(page.evaluate("!!map.getLayer('land')"))
        order = page.evaluate("map.getLayersOrder()")
        self.assertLess(order.index("streets"), order.index("displays-clusters"))


class FailedStyleTest(MapsTest):
    arguments = ("--basemap-style-url", f"{ORIGIN}/missing.json")

    def test_map_shows_the_releases_base_map_if_the_own_style_does_not_load(self):
        page = self.planner(ignored=[f"requested {ORIGIN}/", "status of 404"]).page
        page.evaluate("map.jumpTo({ center: [-98, 39], zoom: 3.5 })")
        self.until(page, HAS_LAYER, "land")
        expect(page.locator(".map-note")).to_have_text(
            "Street map unavailable. This map shows areas and names only.")
        self.assertEqual(axe.violations_in_all_looks(page), [])
