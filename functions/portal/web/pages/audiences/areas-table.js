// The table of areas. It can be sorted, filtered by name, and paged through.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { Field } from '../../ui/field.js';
import { count, number } from '../../ui/format.js';
import { written } from './classes.js';

/** @typedef {import('./areas.js').Area} Area */
/** @typedef {'name' | 'persons' | 'all' | 'share' | 'index'} Column */
/** @typedef {{by: Column, isDown: boolean}} Order */

const PAGE = 25;

/** @type {{by: Column, title: string, cell: (area: Area) => string}[]} */
const NUMBERS = [
  { by: 'persons', title: 'Cohort', cell: ({ persons }) => number(persons) },
  { by: 'all', title: 'Everyone', cell: ({ all }) => number(all) },
  { by: 'share', title: 'Share', cell: ({ share }) => written('share', share) },
  { by: 'index', title: 'Index', cell: ({ index }) => written('index', index) },
];

/**
 * Shows the table of areas with its search field.
 * @param {{areas: Area[], many: string, measure: import('./classes.js').Measure, chosen: string | null,
 *   onChoose: (code: string) => void}} props
 */
export function AreasTable({ areas, many, measure, chosen, onChoose }) {
  const { words, setWords, order, turn, page, setPage, rows } = useRows(areas, measure, chosen);
  const last = Math.max(0, Math.ceil(rows.length / PAGE) - 1);
  const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
  return html`
    <div class="areas-head">
      <${Field} label=${`Find in ${count(areas.length, many, many)}`}>
        <input type="search" value=${words}
          onInput=${(/** @type {any} */ event) => setWords(event.target.value)} />
      <//>
      <p role="status">${rows.length === 0 ? 'No matches.'
        : `${number(page * PAGE + 1)}–${number(page * PAGE + shown.length)} of ${number(rows.length)}`}</p>
      <button disabled=${page === 0} onClick=${() => setPage(page - 1)}>Previous</button>
      <button disabled=${page >= last} onClick=${() => setPage(page + 1)}>Next</button>
    </div>
    <div class="scrolled" role="region" aria-label="Areas" tabindex="0">
      <table>
        <caption class="hidden">${`The cohort in ${many}`}</caption>
        <thead><tr>
          <${Head} by="name" title="Name" order=${order} turn=${turn} />
          ${NUMBERS.map(({ by, title }) => html`
            <${Head} by=${by} title=${title} order=${order} turn=${turn} />`)}
        </tr></thead>
        <tbody>
          ${shown.map((area) => html`
            <tr key=${area.id} class=${area.code === chosen ? 'is-chosen' : ''}>
              <td>
                <button class="quiet" aria-pressed=${area.code === chosen}
                  onClick=${() => onChoose(area.code)}>${area.name}</button>
              </td>
              ${NUMBERS.map(({ cell }) => html`<td class="number">${cell(area)}</td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>`;
}

/**
 * Keeps the table's name filter, sort order, and page, and returns the matching rows.
 * @param {Area[]} areas
 * @param {import('./classes.js').Measure} measure
 * @param {string | null} chosen the code of the selected area; the table opens the page that contains it
 */
function useRows(areas, measure, chosen) {
  const [order, setOrder] = useState(/** @type {Order} */ ({ by: measure, isDown: true }));
  const [words, setWords] = useState('');
  const [page, setPage] = useState(0);
  useEffect(() => setOrder({ by: measure, isDown: true }), [measure]);
  const wanted = words.trim().toLowerCase();
  const rows = sorted(areas.filter(({ name }) => name.toLowerCase().includes(wanted)), order);
  useEffect(() => {
    const at = rows.findIndex(({ code }) => code === chosen);
    if (at >= 0) setPage(Math.floor(at / PAGE));
  }, [chosen, order]);
  useEffect(() => setPage(0), [words, areas]);
  const turn = (/** @type {Column} */ by) =>
    setOrder({ by, isDown: order.by === by ? !order.isDown : by !== 'name' });
  return { words, setWords, order, turn, page, setPage, rows };
}

/** @param {{by: Column, title: string, order: Order, turn: (by: Column) => void}} props */
function Head({ by, title, order, turn }) {
  const isSorted = order.by === by;
  const sort = isSorted ? (order.isDown ? 'descending' : 'ascending') : undefined;
  return html`
    <th scope="col" class=${by === 'name' ? '' : 'number'} aria-sort=${sort}>
      <button class="quiet" onClick=${() => turn(by)}>
        ${title} <span aria-hidden="true">${isSorted ? (order.isDown ? '↓' : '↑') : ''}</span>
      </button>
    </th>`;
}

/**
 * @param {Area[]} areas
 * @param {Order} order
 */
function sorted(areas, { by, isDown }) {
  const up = (/** @type {Area} */ a, /** @type {Area} */ b) =>
    (by === 'name' ? a.name.localeCompare(b.name) : a[by] - b[by]) || a.id.localeCompare(b.id);
  return areas.sort((a, b) => (isDown ? -up(a, b) : up(a, b)));
}
