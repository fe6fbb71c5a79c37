// The printed page of a campaign or a plan. It replaces the portal's page while the browser prints.

import { render } from 'preact';
import { html } from 'htm/preact';
import { date, number } from '../ui/format.js';

/** @typedef {import('../ui/xlsx.js').Sheet} Sheet */

/**
 * A campaign or a plan to print.
 * @typedef {object} Printable
 * @property {string} title
 * @property {{start_date: string, end_date: string}} flight
 * @property {Sheet[]} sheets a sheet of facts, whose first note is the title, followed by the tables
 */

/** The display columns that would make the printed table too wide. */
const UNPRINTED = [
  'Media type', 'Format', 'State', 'ZIP code', 'Latitude', 'Longitude', 'Faces (° from north)', 'Index',
];

/**
 * Makes the browser print a plan instead of the page, even if the person prints from the browser's menu.
 * @param {() => Printable | null} plan returns null to print the page itself
 * @returns {() => void} a function that restores normal printing
 */
export function printAs(plan) {
  const place = Object.assign(document.createElement('div'), { className: 'printed' });
  const show = () => {
    const printed = plan();
    if (!printed) return;
    document.body.append(place);
    render(html`<${Printed} ...${printed} />`, place);
  };
  const hide = () => {
    render(null, place);
    place.remove();
  };
  addEventListener('beforeprint', show);
  addEventListener('afterprint', hide);
  return () => {
    removeEventListener('beforeprint', show);
    removeEventListener('afterprint', hide);
    hide();
  };
}

/** @param {Printable} props */
function Printed({ title, flight, sheets: [facts, ...tables] }) {
  const sources = new Set(tables.flatMap(({ notes }) => notes.slice(1)));
  const map = /** @type {HTMLCanvasElement | null} */ (document.querySelector('.maplibregl-canvas'));
  const copy = (/** @type {HTMLCanvasElement | null} */ picture) => {
    map?.dispatchEvent(new Event('redraw'));
    if (map) picture?.getContext('2d')?.drawImage(map, 0, 0);
  };
  return html`
    <h1>${title}</h1>
    ${flight.start_date && flight.end_date && html`
      <p>${date(flight.start_date)} – ${date(flight.end_date)}</p>`}
    ${map && html`<canvas ref=${copy} width=${map.width} height=${map.height} />`}
    <${PrintedSheet} ...${facts} notes=${facts.notes.slice(1, 2)} />
    ${tables.map((sheet) => html`<${PrintedSheet} ...${sheet} notes=${sheet.notes.slice(0, 1)} />`)}
    <section>
      <h2>Sources</h2>
      ${[...sources].map((source) => html`<p class="note">${source}</p>`)}
    </section>`;
}

/** @param {Sheet} sheet */
function PrintedSheet({ name, notes, titles, rows }) {
  const shown = titles.map((_, n) => n).filter((n) => !UNPRINTED.includes(titles[n]));
  const cell = (/** @type {import('../ui/xlsx.js').Cell} */ value) =>
    (typeof value === 'number' ? html`<td class="number">${number(value)}</td>` : html`<td>${value}</td>`);
  return html`
    <section>
      <h2>${name}</h2>
      ${notes.map((note) => html`<p class="note">${note}</p>`)}
      <table>
        <thead><tr>${shown.map((n) => html`<th scope="col">${titles[n]}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${shown.map((n) => cell(row[n]))}</tr>`)}</tbody>
      </table>
    </section>`;
}
