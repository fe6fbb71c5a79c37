// Tabs that filter a library by state, with counts.

import { html } from 'htm/preact';
import { costOf } from '../../api/limits.js';
import { number } from '../../ui/format.js';
import { STATES, stateName } from '../../ui/state-badge.js';
import { listUrl } from './filters.js';

/** @typedef {import('../../ui/state-badge.js').AssetState} AssetState */

/**
 * Shows a tab for each state and a tab for all states.
 * @param {{family: import('./family.js').Family, filters: import('./filters.js').ListFilters,
 *   counts: import('../../api/types').Schema<'AssetSummary'> | null}} props
 */
export function StateTabs({ family, filters, counts }) {
  const tab = (/** @type {AssetState | undefined} */ state) => html`
    <li>
      <a href=${listUrl(family, { ...filters, state })}
        aria-current=${state === filters.state ? 'true' : undefined}
        class=${state ?? 'all'}>
        ${state ? stateName(state) : 'All'}
        <strong>${counts ? number(state ? counts.by_state[state] : counts.total) : '…'}</strong>
      </a>
    </li>`;
  return html`
    <nav class="states" aria-label="States">
      <ul>${[undefined, ...STATES].map(tab)}</ul>
      <small>Switching tabs costs ${costOf(family.list)}</small>
    </nav>`;
}
