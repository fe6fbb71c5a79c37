// The page for unknown addresses.

import { html } from 'htm/preact';
import { pageUrl } from '../addresses.js';

/** Explains that the page doesn't exist, and links to the overview. */
export function NotFound() {
  return html`
    <section class="state">
      <h1>Page not found</h1>
      <p>The address may be mistyped or out of date.</p>
      <p><a href=${pageUrl()}>Go to the overview</a></p>
    </section>`;
}
