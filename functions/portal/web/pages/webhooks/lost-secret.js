// The warning that a secret may have been created without being shown.

import { html } from 'htm/preact';

/** Asks the person to check the list, and to replace the secret if it was created. */
export function LostSecret() {
  return html`
    <p class="warning" role="status">The secret may have been created without being shown. If the webhook is
      listed, replace its secret.</p>`;
}
