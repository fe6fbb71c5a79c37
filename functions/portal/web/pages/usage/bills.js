// Monthly bills, newest first.

import { html } from 'htm/preact';
import { useCall } from '../../api/use-call.js';
import { productName } from '../../credits/names.js';
import { Failure } from '../../ui/failure.js';
import { count, number } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Table } from '../../ui/table.js';

/** @typedef {import('../../api/types').Schema<'Bill'>} Bill */

const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DOLLARS = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });

/** @type {import('../../ui/table.js').Column<Bill>[]} */
const COLUMNS = [
  { title: 'Month', cell: ({ month, open }) => html`${monthName(month)} ${open && html`<${Open} />`}` },
  { title: 'Products', cell: ({ by_product: products }) => html`<${Products} products=${products} />` },
  { title: 'Prepaid credits', isNumber: true, cell: ({ totals }) => number(totals.prepaid) },
  { title: 'Metered credits', isNumber: true, cell: ({ totals }) => number(totals.metered) },
  { title: 'Refunds', isNumber: true, cell: ({ totals }) => notes(totals) },
  { title: 'Amount due', isNumber: true, cell: ({ totals }) => DOLLARS.format(totals.cents / 100) },
];

/** Shows the bills of the current month and of all past months with usage. */
export function Bills() {
  const { body, error, retry } = useCall('read_bills', {});
  if (error) return html`<${Failure} error=${error} retry=${retry} />`;
  if (!body) return html`<${Loading} what="your bills" />`;
  return html`
    <${Table} isStacked caption="Bills by month, newest first" isCaptionHidden=${true} columns=${COLUMNS}
      rows=${body.data} keyOf=${(/** @type {Bill} */ { month }) => month} />
    <p><small>
      Metered credits cost ${DOLLARS.format(0.05)} each. Prepaid credits are already paid for. Months are in
      UTC.
    </small></p>`;
}

function Open() {
  return html`<span class="badge in_flight">Open</span>`;
}

/** @param {{products: Bill['by_product']}} props */
function Products({ products }) {
  const used = Object.entries(products);
  if (used.length === 0) return html`<span class="soft">No usage</span>`;
  const charged = used.filter(([, { credits }]) => credits > 0).length;
  const free = used.length - charged;
  return html`
    <details>
      <summary>${count(charged, 'product')}${free > 0 && `, ${number(free)} free`}</summary>
      <ul class="plain">
        ${used.map(([name, { calls, credits }]) => html`
          <li>${productName(name)}: ${count(calls, 'call')}, ${count(credits, 'credit')}</li>`)}
      </ul>
    </details>`;
}

/** @param {string} month */
function monthName(month) {
  return MONTH.format(new Date(`${month}-01`));
}

/** @param {Bill['totals']} totals */
function notes({ refunds, credit_notes: notesOfMonth, carried_in: before, carried_forward: after }) {
  const parts = [
    refunds > 0 && `${number(refunds)} refunded`,
    notesOfMonth > 0 && `${number(notesOfMonth)} in credit notes`,
    before > 0 && `${number(before)} carried in`,
    after > 0 && `${number(after)} carried forward`,
  ];
  return parts.filter(Boolean).join(', ') || '–';
}
