"""Accessibility checks with axe-core (https://dequeuniversity.com/rules/axe)."""

from service import ROOT

SCRIPT = ROOT / "functions" / "portal" / "checks" / "node_modules" / "axe-core" / "axe.min.js"
# Swagger UI is a third-party component. Its violations are printed, but don't make the tests fail.
FOREIGN = ".swagger-ui"
ABOUT_COLOR = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
LOOKS = [(scheme, width) for scheme in ("light", "dark") for width in (1280, 390)]

RUN = """async ([context, options]) => {
  const { violations } = await axe.run(context, { resultTypes: ['violations'], ...options });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) =>
    `${id}: ${help}\\n    ${target.join(' ')}\\n    ${failureSummary.replaceAll('\\n', '\\n    ')}`));
}"""


def violations(page, options=None):
    """Returns the violations in the page's current state, as one string per element."""
    if not page.locator(FOREIGN).count():
        return run(page, {}, options or {})
    # Swagger UI's own `main` landmark is nested in the page's.
    rules = {"landmark-no-duplicate-main": {"enabled": False}}
    return run(page, {"exclude": [FOREIGN]}, options or {"rules": rules})


def foreign_violations(page):
    """Returns the violations in Swagger UI's part of the page."""
    return run(page, {"include": [FOREIGN]}, {}) if page.locator(FOREIGN).count() else []


def run(page, context, options):
    """Runs axe-core on the page.

    Playwright evaluates the script, because the page's content security policy blocks other scripts.
    """
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(SCRIPT.read_text() + "; undefined")
    return page.evaluate(RUN, [context or {"exclude": []}, options])


def violations_in_all_looks(page):
    """Returns the violations in all color schemes and window widths, with those in which each one occurs."""
    found = {}
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        # Dark mode changes only colors, so run only the color rules again.
        for violation in violations(page, ABOUT_COLOR if scheme == "dark" else None):
            found.setdefault(violation, []).append(f"{scheme} {width}")
    return [f"{', '.join(looks)}: {violation}" for violation, looks in found.items()]


def settle(page):
    """Waits until all animations have finished and been drawn. Colors in transition can lack contrast.

    Returns after 10 seconds if the browser has stopped drawing.
    """
    page.evaluate("""() => Promise.race([new Promise((late) => setTimeout(late, 10_000)), (async () => {
      const ends = (running) => running.effect?.getTiming().iterations !== Infinity;
      const ended = (running) => running.finished.catch(() => {});
      await Promise.all(document.getAnimations().filter(ends).map(ended));
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    })()])""")
