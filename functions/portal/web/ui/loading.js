// The loading placeholder. The style sheet shows it after a short delay.

import { html } from 'htm/preact';

/**
 * Shows that content is loading.
 * @param {{what: string, lines?: number}} props `what` names the content for screen readers
 */
export function Loading({ what, lines = 3 }) {
  return html`
    <div class="loading" role="status">
      <span class="hidden">Loading ${what}</span>
      ${Array.from({ length: lines }, () => html`<span class="skeleton" aria-hidden="true"></span>`)}
    </div>`;
}
