// A table that compares two subjects in two colors, with the difference between them.

import { html } from 'htm/preact';

/**
 * A figure of both subjects. `format` writes the values and their difference.
 * @typedef {object} Compared
 * @property {string} key
 * @property {string} name
 * @property {[number, number]} values
 * @property {(value: number) => string} format
 */

/**
 * Shows a row for each figure, with the value of each subject and the second minus the first.
 * @param {{caption: string, title: string, names: [string, string], rows: Compared[]}} props `title` is the
 *   heading of the column of names
 */
export function DifferenceTable({ caption, title, names, rows }) {
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
        <tbody>${rows.map((row) => html`<${Row} key=${row.key} row=${row} />`)}</tbody>
      </table>
    </div>`;
}

/** @param {{row: Compared}} props */
function Row({ row: { name, values, format } }) {
  const [first, second] = values;
  const most = Math.max(first, second);
  return html`
    <tr>
      <th scope="row">${name}</th>
      ${values.map((value) => html`<td class="number">${format(value)}</td>`)}
      <td class="pair" aria-hidden="true">
        ${values.map((value) => html`<i style=${{ width: `${most > 0 ? (100 * value) / most : 0}%` }}></i>`)}
      </td>
      <td class="number">${signed(second - first, format)}</td>
    </tr>`;
}

/**
 * Writes a difference with its sign; a difference that rounds to zero has none.
 * @param {number} difference
 * @param {(value: number) => string} format
 */
function signed(difference, format) {
  const size = format(Math.abs(difference));
  if (size === format(0)) return size;
  return difference > 0 ? `+${size}` : `−${size}`;
}
