// The page for addresses that no page has.

import { html } from 'htm/preact';
import { pageUrl } from '../addresses.js';

/** Says that there is no such page, and leads back. */
export function NotFound() {
  return html`
    <section class="state">
      <h1>There is no such page</h1>
      <p>The address may be mistyped, or of an earlier portal.</p>
      <p><a href=${pageUrl()}>Go to the overview</a></p>
    </section>`;
}
