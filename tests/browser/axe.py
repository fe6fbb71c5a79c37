"""The rules of accessibility that axe-core can check (https://dequeuniversity.com/rules/axe)."""

from service import ROOT

SCRIPT = ROOT / "functions" / "portal" / "checks" / "node_modules" / "axe-core" / "axe.min.js"
# The component that draws the reference is not ours: what is wrong in it is printed, and fails nothing.
FOREIGN = ".swagger-ui"
ABOUT_COLOUR = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
LOOKS = [(scheme, width) for scheme in ("light", "dark") for width in (1280, 390)]

RUN = """async ([context, options]) => {
  const { violations } = await axe.run(context, { resultTypes: ['violations'], ...options });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) =>
    `${id}: ${help}\\n    ${target.join(' ')}\\n    ${failureSummary.replaceAll('\\n', '\\n    ')}`));
}"""


def violations(page, options=None):
    """What breaks a rule in the page as it is shown now, a text for each element."""
    if not page.locator(FOREIGN).count():
        return run(page, {}, options or {})
    # It has a landmark `main` of its own within the page's.
    rules = {"landmark-no-duplicate-main": {"enabled": False}}
    return run(page, {"exclude": [FOREIGN]}, options or {"rules": rules})


def foreign_violations(page):
    """What breaks a rule in the part of the page that is not ours."""
    return run(page, {"include": [FOREIGN]}, {}) if page.locator(FOREIGN).count() else []


def run(page, context, options):
    """Playwright's own evaluation puts the script into the page, which the content policy does not bind."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(SCRIPT.read_text() + "; undefined")
    return page.evaluate(RUN, [context or {"exclude": []}, options])


def violations_in_all_looks(page):
    """What breaks a rule in light or dark, wide or narrow, each with the looks that it breaks it in."""
    found = {}
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        # The elements are the same in dark: only their colors are others.
        for violation in violations(page, ABOUT_COLOUR if scheme == "dark" else None):
            found.setdefault(violation, []).append(f"{scheme} {width}")
    return [f"{', '.join(looks)}: {violation}" for violation, looks in found.items()]


def settle(page):
    """Waits until all that moves has come to its end and is drawn: colors on their way lack contrast.

    A browser that has stopped drawing is waited for no longer than a moment.
    """
    page.evaluate("""() => Promise.race([new Promise((late) => setTimeout(late, 10_000)), (async () => {
      const ends = (running) => running.effect?.getTiming().iterations !== Infinity;
      const ended = (running) => running.finished.catch(() => {});
      await Promise.all(document.getAnimations().filter(ends).map(ended));
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    })()])""")
