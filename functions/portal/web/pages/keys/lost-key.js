// The warning that a key may have been created without its secret being shown.

import { html } from 'htm/preact';

/** Asks the person to revoke the key if it's in the list. */
export function LostKey() {
  return html`
    <p class="warning" role="status">The key may have been created without being shown. If it’s listed, revoke
      it.</p>`;
}
