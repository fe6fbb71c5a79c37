// The states of a library's assets with how many are in each: each is a filter.

import { html } from 'htm/preact';
import { costOf } from '../../api/limits.js';
import { number } from '../../ui/format.js';
import { STATES, stateName } from '../../ui/state-badge.js';
import { listUrl } from './filters.js';

/** @typedef {import('../../ui/state-badge.js').AssetState} AssetState */

/**
 * Shows the counts; one that is chosen lists the assets of its state.
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
      <small>Each lists anew · ${costOf(family.list)}</small>
    </nav>`;
}
