// What is so when nobody knows whether a key was minted: the answer was lost, and its secret with it.

import { html } from 'htm/preact';

/** Says what to do about a key that nobody has seen. */
export function LostKey() {
  return html`
    <p class="warning" role="status">A key may have been made: revoke the one that nobody has seen.</p>`;
}
