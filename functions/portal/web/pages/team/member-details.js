// The details of a member for support requests.

import { html } from 'htm/preact';
import { Copy } from '../../ui/copy.js';

/** @param {{id: string}} props */
export function MemberDetails({ id }) {
  return html`
    <details>
      <summary>Details</summary>
      <p>Member ID <${Copy} text=${id} what="member ID" /></p>
    </details>`;
}
