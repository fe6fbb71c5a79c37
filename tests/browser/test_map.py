"""The map page of `marquee serve`, as a browser shows it: `make test-browser`."""

import contextlib
import pathlib
import tempfile
import unittest

from service import ROOT, Service
from webdriver import Browser, requests_of

PICTURES = ROOT / "target" / "browser"
ENTER, ESCAPE = "\ue007", "\ue00c"

LOADED = """
  const map = window.marqueeMap;
  return map?.getLayer('places-counts') && map.getLayer('displays-counts') && !map.isMoving() && map.loaded() && map.areTilesLoaded();
"""
# The middle of a feature of a layer, not under the panel and with no other layer's displays and places within
# reach.
POINT = """
  const [layer] = arguments, map = window.marqueeMap;
  const others = ['displays-singles', 'places-singles'].filter((other) => other !== layer);
  for (const {geometry} of map.queryRenderedFeatures({layers: [layer]})) {
    const {x, y} = map.project(geometry.coordinates);
    const around = [[x - 5, y - 5], [x + 5, y + 5]];
    if (document.elementFromPoint(x, y) === map.getCanvas() && map.queryRenderedFeatures(around, {layers: others}).length === 0) return [x, y];
  }
"""
POPUP = "return document.querySelector('.about .popup')?.innerText"
STATUS = "return document.getElementById('status').textContent"


class MapTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cls.service = stack.enter_context(Service(folder))
        cls.network_log = folder / "network.json"

    @contextlib.contextmanager
    def browser(self, link=None):
        """A browser that has opened the map. At its end: no console error, and no request to anywhere else."""
        with Browser(self.network_log) as browser:
            browser.open(link or self.service.link)
            yield browser
            self.assertEqual(browser.errors(), [])
        asked = requests_of(self.service.origin, self.network_log)
        self.assertTrue(asked, "the log holds the page's requests")
        self.assertEqual([url for url in asked if not url.startswith(self.service.origin + "/")], [])

    def test_a_click_on_a_cluster_zooms_in_and_one_on_a_display_tells_about_it(self):
        with self.browser() as browser:
            browser.until(LOADED)
            browser.picture(PICTURES / "map.png")
            self.assertEqual(browser.run(STATUS), "")
            before = browser.run("return marqueeMap.getZoom()")
            browser.click(*browser.until(POINT, "displays-clusters"))
            browser.until("return !marqueeMap.isMoving() && marqueeMap.getZoom() > arguments[0] + 1.5", before)
            browser.until(LOADED)

            # Down to where every display is by itself.
            center = browser.run("return marqueeMap.queryRenderedFeatures({layers: ['displays-clusters']})[0].geometry.coordinates")
            browser.run("marqueeMap.jumpTo({center: arguments[0], zoom: 9})", center)
            for _ in range(8):
                browser.until(LOADED)
                singles = browser.run(POINT, "displays-singles")
                if singles:
                    break
                browser.run("""const [cluster] = marqueeMap.queryRenderedFeatures({layers: ['displays-clusters']});
                  marqueeMap.jumpTo({center: cluster.geometry.coordinates, zoom: marqueeMap.getZoom() + 1});""")
            known = browser.run("return marqueeMap.queryRenderedFeatures(arguments[0], {layers: ['displays-singles']})[0].properties", singles)
            browser.click(*singles)
            told = browser.until(POPUP)
            facts = [f"Display {known['spot_id']}", known["media_type"], "digital" if known["digital"] else "static", known["dma"]]
            # Not every display's operator is known.
            for fact in facts + ([known["operator"]] if "operator" in known else []):
                self.assertIn(fact, told)
            browser.picture(PICTURES / "display.png")
        tiles = [url for url in requests_of(self.service.origin, self.network_log) if ".mvt" in url]
        self.assertTrue(any("/displays/" in url for url in tiles) and any("/places/" in url for url in tiles), tiles)

    def test_the_keyboard_reaches_clusters_displays_and_places(self):
        with self.browser(self.service.link + "#at=12.5/40.755/-73.985") as browser:
            browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
            browser.until(LOADED)
            browser.until("return document.querySelectorAll('#nearby button').length > 1")
            browser.run("document.querySelector('#nearby button').focus()")
            browser.press(ENTER)
            self.assertTrue(browser.until(POPUP))
            browser.picture(PICTURES / "dark.png")
            browser.press(ESCAPE)
            self.assertTrue(browser.until("return !document.querySelector('.about .popup')"))

    def test_what_cannot_be_loaded_is_said_in_words(self):
        unknown = f"{self.service.origin}/v2/displays/tiles/grants/tg_{'a' * 32}/tilejson"
        foreign = "https://tiles.example.com/tilejson"
        with Browser(self.network_log) as browser:
            for tilejson, words in [
                (unknown, "there is no such grant"),
                (self.service.revoked(), "was revoked"),
                (f"{self.service.origin}/v2/health", "not TileJSON"),
                (foreign, "and nothing else"),
            ]:
                browser.open(f"{self.service.origin}/map?tilejson={tilejson}")
                self.assertIn(words, browser.until("return document.querySelector('#status.trouble')?.textContent"))
            browser.open(f"{self.service.origin}/map")
            browser.until("return document.getElementById('status').textContent.startsWith('Name a TileJSON')")
        self.assertNotIn(foreign, requests_of(self.service.origin, self.network_log))


if __name__ == "__main__":
    unittest.main()
