// A table that compares two subjects in two colors, with the difference between them.

import { html } from 'htm/preact';

/**
 * A figure for both subjects. `format` formats the values and, by default, their difference.
 * @typedef {object} Compared
 * @property {string} key
 * @property {string} name
 * @property {[number, number]} values
 * @property {(value: number) => string} format
 * @property {(value: number) => string} [difference] the format of the difference; `format` by default
 */

/**
 * Shows a row for each figure, with both values and their difference (the second minus the first).
 * @param {{caption: string, title: string, names: [string, string], rows: Compared[],
 *   hasOneScale?: boolean}} props `title` is the heading of the column of names; `hasOneScale` draws the bars
 *   of all rows on the same scale
 */
export function DifferenceTable({ caption, title, names, rows, hasOneScale = false }) {
  const most = Math.max(0, ...rows.flatMap(({ values }) => values));
  return html`
    <div class="scrolled" role="region" aria-label=${caption} tabindex="0">
      <table class="differences">
        <caption>${caption}</caption>
        <thead>
          <tr>
            <th scope="col">${title}</th>
            ${names.map((name) => html`
              <th scope="col" class="number"><i class="swatch" aria-hidden="true"></i>${name}</th>`)}
            <th scope="col"><span class="hidden">Both as bars</span></th>
            <th scope="col" class="number">Difference</th>
          </tr>
        </thead>
        <tbody>${rows.map((row) => html`
          <${Row} key=${row.key} row=${row} most=${hasOneScale ? most : Math.max(...row.values)} />`)}
        </tbody>
      </table>
    </div>`;
}

/** @param {{row: Compared, most: number}} props `most` is the value of the longest possible bar */
function Row({ row: { name, values, format, difference = format }, most }) {
  const [first, second] = values;
  return html`
    <tr>
      <th scope="row">${name}</th>
      ${values.map((value) => html`<td class="number">${format(value)}</td>`)}
      <td class="both-bars" aria-hidden="true">
        ${values.map((value) => html`<i style=${{ width: `${most > 0 ? (100 * value) / most : 0}%` }}></i>`)}
      </td>
      <td class="number">${signed(second - first, difference)}</td>
    </tr>`;
}

/**
 * Formats a difference with its sign, or without a sign if it rounds to zero.
 * @param {number} difference
 * @param {(value: number) => string} format
 */
function signed(difference, format) {
  const size = format(Math.abs(difference));
  if (size === format(0)) return size;
  return difference > 0 ? `+${size}` : `−${size}`;
}
