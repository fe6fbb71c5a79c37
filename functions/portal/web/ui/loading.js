// What stands where something will be; styles show it only after a moment.

import { html } from 'htm/preact';

/**
 * Says that something is on its way.
 * @param {{what: string, lines?: number}} props
 */
export function Loading({ what, lines = 3 }) {
  return html`
    <div class="loading" role="status">
      <span class="hidden">Loading ${what}</span>
      ${Array.from({ length: lines }, () => html`<span class="skeleton" aria-hidden="true"></span>`)}
    </div>`;
}
