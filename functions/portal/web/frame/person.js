// The signed-in person's menu: role, the organization's pages, and sign-out.

import { html } from 'htm/preact';
import { useLocation } from 'preact-iso/router';
import { organization } from '../api/account.js';
import { ROLES, may } from '../api/roles.js';
import { email, isSignedIn, signIn } from '../session/session.js';
import { PAGES } from '../routes.js';
import { Disclosure } from '../ui/disclosure.js';
import { PageLinks } from './page-links.js';
import { leavePortal } from './sign-out.js';

const TIERS = { sandbox: 'Sandbox', pay_as_you_go: 'Pay-as-you-go', enterprise: 'Enterprise' };

/** Shows the person's initial, which opens the menu, or a sign-in button if no one is signed in. */
export function Person() {
  if (!isSignedIn.value) return html`<button onClick=${signIn}>Sign in</button>`;
  const letter = (email.value ?? 'you').slice(0, 1).toUpperCase();
  return html`
    <${Disclosure} class="person" label="Your account" summary=${letter}>
      <p>${email.value ?? 'Signed in'}</p>
      ${organization.value && html`<${Standing} of=${organization.value} />`}
      <button onClick=${leavePortal}>Sign out</button>
    <//>`;
}

/** @param {{of: NonNullable<typeof organization.value>}} props */
function Standing({ of: { name, org_id: id, role, tier } }) {
  const { path } = useLocation();
  const isShown = (/** @type {import('../routes.js').Page} */ { group, permission }) =>
    group === 'organization' && (!permission || may(role, permission));
  return html`
    <p><small>${ROLES[role].name} of ${name ?? id}, ${TIERS[tier]}</small></p>
    <nav aria-label="Organization"><${PageLinks} pages=${PAGES.filter(isShown)} path=${path} /></nav>`;
}
