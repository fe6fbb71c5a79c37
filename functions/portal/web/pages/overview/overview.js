// The overview: what is left.

import { html } from 'htm/preact';
import { organization } from '../../session/account.js';
import { date, number } from '../../ui/format.js';

/** Shows the organization's credits. */
export default function Overview() {
  const { name, org_id: id, credits } = /** @type {NonNullable<typeof organization.value>} */ (organization.value);
  return html`
    <h1>${name ?? id}</h1>
    <p>${number(credits.balance)} credits left; the next grant ends ${date(credits.expires_at)}.</p>`;
}
