// The empty state of a page or a list, which explains why nothing is shown and what to do next.

import { html } from 'htm/preact';

/**
 * Shows an empty state. The children contain the explanation and the next step.
 * @param {{title: string, children?: any}} props
 */
export function Empty({ title, children }) {
  return html`<section class="state empty"><h2>${title}</h2>${children}</section>`;
}
