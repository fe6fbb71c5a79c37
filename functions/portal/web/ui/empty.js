// What stands where there is nothing yet: what is so, why, and the one thing to do.

import { html } from 'htm/preact';

/**
 * Says that there is nothing, and what to do.
 * @param {{title: string, children?: any}} props
 */
export function Empty({ title, children }) {
  return html`<section class="state empty"><h2>${title}</h2>${children}</section>`;
}
