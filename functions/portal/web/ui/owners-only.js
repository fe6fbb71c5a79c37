// The notice that members see where only owners have access.

import { html } from 'htm/preact';
import { organization } from '../api/account.js';
import { ROLES } from '../api/roles.js';

/**
 * Explains that an action is for owners only.
 * @param {{what: string, children?: any}} props `what` is the action, such as `invite people`
 */
export function OwnersOnly({ what, children }) {
  const { name, role = 'member' } = organization.value ?? {};
  return html`
    <section class="card owners-only">
      <p>You’re ${ROLES[role].as} of ${name ?? 'your organization'}. Only owners can ${what}. Ask an owner to
        do it, or to make you an owner.</p>
      ${children}
    </section>`;
}
