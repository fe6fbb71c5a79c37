// What stands in the place of a page that cannot be shown.

import { html } from 'htm/preact';

/** Says that the page's files could not be loaded, and loads everything anew. */
export function Outdated() {
  const why = 'Its files could not be loaded: you are offline, or Marquee was updated meanwhile.';
  return html`<${Reload} why=${why} />`;
}

/** Says that the page failed, and loads everything anew. */
export function Broken() {
  const why = 'Something in it went wrong. If it does so again, tell your operator what you did.';
  return html`<${Reload} why=${why} />`;
}

/** @param {{why: string}} props */
function Reload({ why }) {
  return html`
    <section class="state" role="alert">
      <h1>This page cannot be shown</h1>
      <p>${why}</p>
      <button class="primary" onClick=${() => location.reload()}>Load it anew</button>
    </section>`;
}
