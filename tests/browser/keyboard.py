"""Walks through a page with the Tab key."""

from axe import FOREIGN

# Numbers each element when it first gets the focus, so that the element can be identified.
NUMBER = """(element) => {
  window.walked ??= new Map();
  if (!walked.has(element)) walked.set(element, walked.size);
  return walked.get(element);
}"""
# Describes the focused element, or returns null if the focus has moved from the page to the browser.
FOCUSED = f"""() => {{
  const element = document.activeElement;
  if (!element || element === document.body || element === document.documentElement) return null;
  const number = ({NUMBER})(element);
  const {{ outlineStyle, outlineWidth, boxShadow }} = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {{
    number,
    foreign: element.closest('{FOREIGN}') !== null,
    name: describe(element),
    visible: (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
    shown: box.width > 0 && box.height > 0
      && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
  }};
  function describe(element) {{
    const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent;
    const name = (label ?? element.textContent).trim().replaceAll(/\\s+/g, ' ').slice(0, 60);
    return name ? `${{element.localName}} "${{name}}"` : element.outerHTML.slice(0, 160);
  }}
}}"""
# Lists the controls that the Tab key must reach. In a group of radio buttons, that's the checked button or
# the first one. In a group with arrow keys, it's the element without tabindex -1.
CONTROLS = f"""() => {{
  const selector = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]';
  const usable = (element) => !element.closest('{FOREIGN}, [inert]') && element.tabIndex >= 0
    && !element.matches(':disabled')
    && element.checkVisibility({{ opacityProperty: true, visibilityProperty: true }});
  const reached = (element) => {{
    if (!element.matches('input[type=radio]')) return true;
    const buttons = [...document.querySelectorAll('input[type=radio]')];
    const group = buttons.filter(({{ name }}) => name === element.name);
    return element === (group.find(({{ checked }}) => checked) ?? group[0]);
  }};
  return [...document.querySelectorAll(selector)].filter((element) => usable(element) && reached(element))
    .map((element) => [({NUMBER})(element), element.outerHTML.slice(0, 160)]);
}}"""
# Focuses the top of the page. The Tab key continues from the position of the focused element.
TO_THE_TOP = """() => {
  const first = Object.assign(document.createElement('span'), { tabIndex: -1 });
  document.body.prepend(first);
  first.focus();
  first.remove();
  window.scrollTo(0, 0);
}"""
MOST_STEPS = 600


def walk(page):
    """Presses Tab from the top to the end of the page, and returns the element focused by each step."""
    page.evaluate(TO_THE_TOP)
    met = []
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None or met and focused["number"] == met[0]["number"]:
            return met
        met.append(focused)
    raise AssertionError(f"the Tab key has not reached the end after {MOST_STEPS} steps: {met[-3:]}")


def faults(page):
    """Returns the controls that Tab doesn't reach, or whose focus is invisible or outside the window."""
    controls = page.evaluate(CONTROLS)
    met = walk(page)
    numbers = {step["number"] for step in met}
    own = [step for step in met if not step["foreign"]]
    # A date field has several parts, and the browser draws the focus only on the last one.
    seen = {step["number"] for step in met if step["visible"]}
    return [*(f"not reached: {text}" for number, text in controls if number not in numbers),
            *(f"no visible focus on {step['name']}" for step in own if step["number"] not in seen),
            *(f"focus outside the window on {step['name']}" for step in own if not step["shown"])]
