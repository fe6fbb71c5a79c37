// The active grants as bars, with their expiry dates.

import { html } from 'htm/preact';
import { date, number } from '../ui/format.js';
import { kindName } from './names.js';

/**
 * Shows the active grants in the order in which credits are drawn from them.
 * @param {{grants: import('./pace.js').Grant[]}} props
 */
export function GrantBars({ grants }) {
  const live = grants.filter(({ state }) => state === 'live');
  if (live.length === 0) return html`<p>No credits available.</p>`;
  return html`<ol class="grants">${live.map((grant) => html`<${Bar} ...${grant} />`)}</ol>`;
}

/** @param {import('./pace.js').Grant} grant */
function Bar(grant) {
  const { kind, remaining, granted } = grant;
  return html`
    <li>
      <span><strong>${kindName(kind)}</strong> ${number(remaining)} of ${number(granted)} left</span>
      <progress max=${Math.max(1, granted)} value=${remaining}
        aria-label=${`${kindName(kind)} credits left`}></progress>
      <small>${ending(grant)}</small>
    </li>`;
}

/** @param {import('./pace.js').Grant} grant */
function ending({ kind, expires_at: ends }) {
  if (!ends) return 'Doesn’t expire';
  return kind === 'metered' ? `Renews on ${date(ends)}` : `Expires on ${date(ends)}`;
}
