// The figures of an estimate: totals, reach by week, frequency, and tables by market and display.

import { html } from 'htm/preact';
import { useMemo, useState } from 'preact/hooks';
import { BarTable } from '../charts/bar-table.js';
import { Columns } from '../charts/columns.js';
import { count, number, percent } from '../ui/format.js';
import { Modelled } from '../ui/modelled.js';
import { Table } from '../ui/table.js';

/** @typedef {import('./estimate.js').Estimate} Estimate */
/** @typedef {import('../api/types').Schema<'EstimatedMarket'>} Market */
/** @typedef {import('../api/types').Schema<'EstimatedDisplay'>} Display */

/** The maximum number of IDs that a warning lists. */
const MOST_IDS = 20;
/** The maximum number of displays in the table. Exports contain all of them. */
const MOST_ROWS = 100;

/** @type {import('../ui/table.js').Column<Market>[]} */
const MARKET_COLUMNS = [
  { title: 'Market', cell: ({ description }) => description },
  { title: 'People in the audience', isNumber: true, cell: (row) => number(row.target_persons) },
  { title: 'Target impressions', isNumber: true, cell: (row) => number(row.target_impressions) },
  { title: 'Reach', isNumber: true, cell: (row) => number(row.reach) },
  { title: 'Range', isNumber: true, cell: rangeOf },
  { title: 'Frequency', isNumber: true, cell: (row) => number(row.frequency) },
  { title: 'TRP', isNumber: true, cell: (row) => number(row.trp) },
];

/**
 * Shows an estimate.
 * @param {{estimate: Estimate, nameOf: (id: string) => string}} props `nameOf` returns a display's name
 */
export function EstimateFigures({ estimate, nameOf }) {
  const { data, meta } = estimate;
  // Rerender the figures only for a new estimate, so that typing in the plan stays fast.
  return useMemo(() => html`
    <div class="estimate">
      <${Modelled} provenance=${meta.provenance} label="Estimated with a model, not measured"
        meaning="A model computes these figures from the impressions of displays and from the population." />
      <${Totals} data=${data} />
      <${NotCounted} ids=${data.unknown_ids} why="not in the current data" />
      <${NotCounted} ids=${data.displays_without_impressions} why="without impressions" />
      ${data.totals.reach !== null && html`<${Distribution} data=${data} />`}
      <${Table} caption="By market" columns=${MARKET_COLUMNS} rows=${data.markets}
        keyOf=${(/** @type {Market} */ row) => row.geography_id} />
      <${Displays} displays=${data.displays} nameOf=${nameOf} />
    </div>`, [estimate]);
}

/** @param {{data: Estimate['data']}} props */
function Totals({ data: { totals, cohort_description: audience } }) {
  const facts = [
    ['Reach', `${number(totals.reach)} people`, totals.reach === null ? '' : `range ${rangeOf(totals)}`],
    ['Frequency', number(totals.frequency), 'average contacts per person reached'],
    ['TRP', number(totals.trp), 'contacts per 100 people in the audience'],
    ['Impressions', number(totals.impressions), 'all viewers'],
    ['Target impressions', number(totals.target_impressions), audience],
    ['Audience', `${number(totals.target_persons)} people`, `${audience} in the markets`],
  ];
  return html`
    <dl class="totals">
      ${facts.map(([label, value, about]) => html`
        <div><dt>${label}</dt><dd>${value}${about && html`<small>${about}</small>`}</dd></div>`)}
    </dl>`;
}

/** @param {{ids: string[], why: string}} props */
function NotCounted({ ids, why }) {
  if (ids.length === 0) return null;
  const more = ids.length - MOST_IDS;
  return html`
    <p class="warning">
      Not counted: ${count(ids.length, 'display')} ${why} (${ids.slice(0, MOST_IDS).join(', ')}${
        more > 0 && ` and ${number(more)} more`}).
    </p>`;
}

/** @param {{data: Estimate['data']}} props */
function Distribution({ data: { weeks, frequency_distribution: distribution, totals } }) {
  const columns = weeks.map(({ week, cumulative_reach: reach }) =>
    ({ key: String(week), name: `Week ${week}`, value: reach ?? 0 }));
  const bars = distribution.map(({ contacts, reach }) => ({
    key: String(contacts), name: `${contacts} or more`, value: reach ?? 0,
    cells: [number(reach), percent((reach ?? 0) / (totals.target_persons ?? 1))],
  }));
  return html`
    <${Columns} caption="Cumulative reach by week" of="estimated" period="Week"
      unit="people" columns=${columns} />
    <${BarTable} caption="By number of contacts" of="estimated" bars=${bars}
      titles=${['Contacts', 'Reach', 'People', 'Share of audience']} />`;
}

/** @param {{displays: Display[], nameOf: (id: string) => string}} props */
function Displays({ displays, nameOf }) {
  const [isOpen, setIsOpen] = useState(false);
  const rows = displays.toSorted((a, b) => b.impressions - a.impressions).slice(0, MOST_ROWS);
  return html`
    <details onToggle=${(/** @type {any} */ event) => setIsOpen(event.currentTarget.open)}>
      <summary>By display (${number(displays.length)})</summary>
      ${isOpen && html`<${Table} caption="By display, most impressions first" columns=${columnsOf(nameOf)}
        rows=${rows} keyOf=${(/** @type {Display} */ row) => row.display_id} />`}
      ${displays.length > MOST_ROWS && html`<p class="soft">Exports contain all displays.</p>`}
    </details>`;
}

/**
 * @param {(id: string) => string} nameOf
 * @returns {import('../ui/table.js').Column<Display>[]}
 */
function columnsOf(nameOf) {
  const marked = (/** @type {string} */ value, /** @type {string | null} */ from) =>
    html`${value} ${from && html`<small>${from}</small>`}`;
  return [
    { title: 'Display', cell: ({ display_id: id }) => html`${nameOf(id)} <code>${id}</code>` },
    { title: 'Impressions', isNumber: true, cell: (row) => number(row.impressions) },
    {
      title: 'Per week', isNumber: true,
      cell: (row) => marked(number(row.weekly_impressions), row.weekly_impressions_from),
    },
    {
      title: 'Share of voice', isNumber: true,
      cell: (row) => marked(percent(row.share_of_voice), row.share_of_voice_from),
    },
    { title: 'Days', isNumber: true, cell: (row) => number(row.active_days) },
    { title: 'Index', isNumber: true, cell: (row) => number(row.index) },
  ];
}

/** @param {{reach_low: number | null, reach_high: number | null}} totals */
function rangeOf({ reach_low: low, reach_high: high }) {
  return low === null ? '–' : `${number(low)} – ${number(high)}`;
}
