// Notices that replace pages that can't be displayed.

import { html } from 'htm/preact';

/** Explains that the page's files couldn't be loaded, and offers to reload. */
export function Outdated() {
  const why = 'Its files couldn’t be loaded. You may be offline, or Marquee was updated.';
  return html`<${Reload} why=${why} />`;
}

/** Explains that an error occurred while the page was displayed, and offers to reload. */
export function Broken() {
  const why = 'Something went wrong. If it happens again, tell your administrator what you did.';
  return html`<${Reload} why=${why} />`;
}

/** @param {{why: string}} props */
function Reload({ why }) {
  return html`
    <section class="state" role="alert">
      <h1>This page can’t be displayed</h1>
      <p>${why}</p>
      <button class="primary" onClick=${() => location.reload()}>Reload</button>
    </section>`;
}
