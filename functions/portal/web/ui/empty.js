// The empty state: the situation, its cause and the next step.

import { html } from 'htm/preact';

/**
 * Shows an empty state.
 * @param {{title: string, children?: any}} props
 */
export function Empty({ title, children }) {
  return html`<section class="state empty"><h2>${title}</h2>${children}</section>`;
}
