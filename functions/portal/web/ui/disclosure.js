// A small popover panel. A click opens it. Pressing Escape, clicking elsewhere, or moving the focus closes
// it.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';

/** The minimum space between a panel and the window's edge, in pixels. */
const MARGIN = 12;

/**
 * Shows a summary that opens a panel over the page.
 * @param {{summary: any, label?: string, class?: string, children?: any}} props `label` is the accessible
 *   name of a summary that is a picture or a single letter
 */
export function Disclosure({ summary, label, class: name = '', children }) {
  const details = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => closeByItself(/** @type {HTMLDetailsElement} */ (details.current)), []);
  return html`
    <details ref=${details} class=${`disclosure ${name}`}>
      <summary aria-label=${label}>${summary}</summary>
      <div class="floating">${children}</div>
    </details>`;
}

/** @param {HTMLDetailsElement} details */
function closeByItself(details) {
  const unless = (/** @type {EventTarget | null} */ target) => {
    if (!(target instanceof Node && details.contains(target))) details.open = false;
  };
  const click = (/** @type {MouseEvent} */ { target }) => unless(target);
  // A click on plain text has no related target, and doesn't count as a focus change.
  const leave = (/** @type {FocusEvent} */ { relatedTarget }) => relatedTarget && unless(relatedTarget);
  const escape = (/** @type {KeyboardEvent} */ { key }) => {
    if (key !== 'Escape' || !details.open) return;
    details.open = false;
    details.querySelector('summary')?.focus();
  };
  const place = () => details.open && keepInWindow(/** @type {HTMLElement} */ (details.lastElementChild));
  document.addEventListener('click', click);
  details.addEventListener('toggle', place);
  details.addEventListener('focusout', leave);
  details.addEventListener('keydown', escape);
  return () => document.removeEventListener('click', click);
}

/** @param {HTMLElement} panel */
function keepInWindow(panel) {
  panel.style.translate = '';
  const { left, right } = panel.getBoundingClientRect();
  const over = Math.max(0, right - (document.documentElement.clientWidth - MARGIN));
  panel.style.translate = `${-Math.min(over, Math.max(0, left - MARGIN))}px`;
}
