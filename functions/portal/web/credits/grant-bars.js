// Grants of credits as bars that shrink, each with its end.

import { html } from 'htm/preact';
import { date, number } from '../ui/format.js';
import { kindName } from './names.js';

/**
 * Shows what is left of each grant that credits can still be drawn from, in the order in which they burn.
 * @param {{grants: import('./pace.js').Grant[]}} props
 */
export function GrantBars({ grants }) {
  const live = grants.filter(({ state }) => state === 'live');
  if (live.length === 0) return html`<p>No credits can be drawn on.</p>`;
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
  if (!ends) return 'Does not expire';
  return kind === 'metered' ? `Comes anew with the month, on ${date(ends)}` : `Expires ${date(ends)}`;
}
