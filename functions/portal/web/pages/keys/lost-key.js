// A warning for a key whose creation had no response: its secret is lost.

import { html } from 'htm/preact';

/** Tells the person to revoke the key. */
export function LostKey() {
  return html`
    <p class="warning" role="status">The key may have been created without being shown. If it’s listed, revoke
      it.</p>`;
}
