"""Counts a person's actions in a journey: clicks, fields filled in, options chosen, and keys pressed."""

import contextlib

# Filling in a field counts as one action, including the click that focuses it.
COUNTER = """(() => {
  let typedInto = null;
  const count = (field) => {
    if (!field || field !== typedInto) countAction();
    typedInto = field;
  };
  const isText = (target) =>
    target instanceof Element && target.matches('textarea, select, input:not([type=checkbox], [type=radio])');
  const modifiers = ['Shift', 'Control', 'Meta', 'Alt'];
  addEventListener('pointerdown', () => count(null), true);
  addEventListener('input', ({ target }) => { if (isText(target)) count(target); }, true);
  addEventListener('keydown', ({ key, target }) => {
    if (!modifiers.includes(key) && (key.length > 1 || !isText(target))) count(null);
  }, true);
})()"""


@contextlib.contextmanager
def journey(page, name, most):
    """Prints the number of actions in a journey, and fails if there are more than `most`.

    A page can have only one journey.
    """
    actions = []
    page.expose_binding("countAction", lambda _: actions.append(None))
    page.add_init_script(COUNTER)
    page.evaluate(COUNTER)
    yield
    # Wait for the page, which first reports the last actions.
    page.evaluate("0")
    print(f"{name}: {len(actions)} actions", flush=True)
    assert 0 < len(actions) <= most, f"{name} takes {len(actions)} actions instead of at most {most}"
