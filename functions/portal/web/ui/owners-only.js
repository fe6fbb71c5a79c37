// What stands where only owners may go on.

import { html } from 'htm/preact';
import { organization } from '../api/account.js';
import { ROLES } from '../api/roles.js';

/**
 * Says why a member cannot do something, and who can.
 * @param {{what: string, children?: any}} props `what` owners do, such as `invite people`
 */
export function OwnersOnly({ what, children }) {
  const { name, role = 'member' } = organization.value ?? {};
  return html`
    <section class="card owners-only">
      <p>You are ${ROLES[role].as} of ${name ?? 'your organization'}. Its owners ${what}: ask one of them to do it, or to make you an
        owner.</p>
      ${children}
    </section>`;
}
