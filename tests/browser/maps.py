"""The base class for tests that inspect the planner's map."""

from browser import PATIENCE
from portal import PortalTest, ready

# Finds the page's private map object by intercepting the map's next frame. A map that has drawn everything
# draws another frame only when its size changes.
FIND = """async () => {
  const { Map } = await import('maplibre-gl');
  const draw = Map.prototype._render, { style } = document.querySelector('.maplibregl-map');
  const found = new Promise((done) => {
    Map.prototype._render = function (...given) { done(this); return draw.apply(this, given); };
  });
  const resized = setInterval(() => { style.height = style.height ? '' : 'calc(100% - 1px)'; }, 100);
  window.map = await found;
  clearInterval(resized);
  style.height = '';
  Map.prototype._render = draw;
}"""
# Returns whether all display tiles have been drawn.
DRAWN = """() => map.getLayer('displays-counts') && !map.isMoving() && map.loaded() && map.areTilesLoaded()"""
UNTIL = """async ([argument, patience]) => {
  const look = SCRIPT, started = performance.now();
  for (;;) {
    const found = look(argument);
    if (found || performance.now() - started > patience) return found;
    await new Promise(requestAnimationFrame);
  }
}"""


class MapsTest(PortalTest):
    def planner(self, ignored=()):
        """Returns a person in the planner after the map has drawn its tiles.

        Ignores faults that match a pattern in `ignored`.
        """
        person = self.colleague(motion="no-preference")
        for pattern in ignored:
            person.expect(pattern)
        person.page.goto("/portal/planner")
        ready(person.page)
        person.page.evaluate(FIND)
        self.drawn(person.page)
        return person

    def drawn(self, page):
        self.until(page, DRAWN)

    def until(self, page, script, argument=None):
        """Waits until a function in the page returns a true value, and returns that value.

        Playwright's own waiting evaluates strings, which the page's content security policy forbids.
        """
        found = page.evaluate(UNTIL.replace("SCRIPT", script), [argument, PATIENCE * 1000])
        self.assertTrue(found, f"not true within {PATIENCE} s: {script}")
        return found
