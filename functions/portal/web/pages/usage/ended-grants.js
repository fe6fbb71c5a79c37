// Credit grants that have ended, and why.

import { html } from 'htm/preact';
import { endName, kindName } from '../../credits/names.js';
import { date, number } from '../../ui/format.js';
import { Table } from '../../ui/table.js';

/** @typedef {import('../../credits/pace.js').Grant} Grant */

/** @type {import('../../ui/table.js').Column<Grant>[]} */
const COLUMNS = [
  { title: 'Kind', cell: ({ kind }) => kindName(kind) },
  { title: 'Granted', isNumber: true, cell: ({ granted }) => number(granted) },
  { title: 'Left at end', isNumber: true, cell: ({ remaining }) => number(remaining) },
  { title: 'Added', cell: ({ joined_at: joined }) => date(joined) },
  { title: 'Ended', cell: ({ ended_at: ended }) => date(ended) },
  { title: 'Reason', cell: ({ state }) => endName(state) },
];

/**
 * Lists the ended grants, most recently ended first. Shows nothing if no grant has ended.
 * @param {{grants: Grant[]}} props
 */
export function EndedGrants({ grants }) {
  const ended = grants.filter(({ state }) => state !== 'live');
  if (ended.length === 0) return null;
  return html`
    <section class="card wide" aria-labelledby="ended">
      <h2 id="ended">Ended grants</h2>
      <${Table} isStacked caption="Ended grants, latest first" isCaptionHidden
        columns=${COLUMNS} rows=${ended}
        keyOf=${(/** @type {Grant} */ grant) => String(grants.indexOf(grant))} />
    </section>`;
}
