"""A walk through a page by the Tab key alone."""

from axe import FOREIGN

# Every element that takes the focus is told apart by a number that it is given when it is first met.
NUMBER = """(element) => {
  window.walked ??= new Map();
  if (!walked.has(element)) walked.set(element, walked.size);
  return walked.get(element);
}"""
# Where the focus is: null when the page has lost it to the browser's own frame.
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
# What a person with a mouse can use. Of radio buttons with one name the Tab key reaches one, the checked one
# or the first; of a group that arrow keys walk through, the element without tabindex -1.
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
# The browser goes on from where the element was that had the focus last.
TO_THE_TOP = """() => {
  const first = Object.assign(document.createElement('span'), { tabIndex: -1 });
  document.body.prepend(first);
  first.focus();
  first.remove();
  window.scrollTo(0, 0);
}"""
MOST_STEPS = 600


def walk(page):
    """What the Tab key meets from the top of the page on to its end: where the focus was at each step."""
    page.evaluate(TO_THE_TOP)
    met = []
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None or met and focused["number"] == met[0]["number"]:
            return met
        met.append(focused)
    raise AssertionError(f"after {MOST_STEPS} steps the Tab key is still on its way: {met[-3:]}")


def faults(page):
    """Controls that the Tab key does not reach, and steps at which nobody sees where the focus is."""
    controls = page.evaluate(CONTROLS)
    met = walk(page)
    numbers = {step["number"] for step in met}
    own = [step for step in met if not step["foreign"]]
    # A date has parts: at the last of them, the browser itself draws the focus.
    seen = {step["number"] for step in met if step["visible"]}
    return [*(f"not reached: {text}" for number, text in controls if number not in numbers),
            *(f"focus not seen on {step['name']}" for step in own if step["number"] not in seen),
            *(f"focus out of sight on {step['name']}" for step in own if not step["shown"])]
