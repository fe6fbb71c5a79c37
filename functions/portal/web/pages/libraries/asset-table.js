// The table of a library's assets.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { number, time } from '../../ui/format.js';
import { StateBadge } from '../../ui/state-badge.js';
import { Table } from '../../ui/table.js';
import { titleOf } from './family.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('./family.js').Listed} Listed */

/**
 * Shows assets with links to their pages.
 * @param {{family: Family, rows: Listed[]}} props
 */
export function AssetTable({ family, rows }) {
  const isCampaign = family.one === 'campaign';
  /** @type {import('../../ui/table.js').Column<Listed>[]} */
  const columns = [
    { title: 'State', cell: ({ state }) => state && html`<${StateBadge} state=${state} />` },
    {
      title: 'Name',
      cell: (row) => html`<a href=${pageUrl(`${family.many}/${row.asset_id}`)}>${titleOf(family, row)}</a>`,
    },
    { title: 'External ID', cell: ({ customer }) => html`<code>${customer?.customer_scenario_id}</code>` },
    { title: isCampaign ? 'Flight' : 'Periods', cell: (row) => family.runs(row) },
    {
      title: isCampaign ? 'Displays' : 'Places',
      cell: ({ spots, place_ids: places }) => number((spots ?? places)?.length),
      isNumber: true,
    },
    {
      title: 'Updated',
      cell: ({ updated_at: at }) => html`<time datetime=${at}>${time(at)}</time>`,
    },
  ];
  return html`
    <${Table} caption=${family.title} isCaptionHidden isStacked columns=${columns} rows=${rows}
      keyOf=${(/** @type {Listed} */ row) => row.asset_id} />`;
}
