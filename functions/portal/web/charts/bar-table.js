// A table where each row has numbers and a bar that starts at zero.

import { html } from 'htm/preact';

/**
 * @typedef {object} Bar
 * @property {string} key
 * @property {any} name
 * @property {number} value
 * @property {any[]} cells the contents of the cells after the bar
 */

/**
 * Shows a table with one bar per row.
 * @param {{caption: string, of: string, titles: string[], bars: Bar[], most?: number}} props `of` names the
 *   subject for screen readers; `titles` are the column titles: name, bar, and each cell; `most` is the
 *   highest value of all tables that share the axis
 */
export function BarTable({ caption, of, titles, bars, most }) {
  const top = most ?? Math.max(0, ...bars.map(({ value }) => value));
  const [ofName, ofBar, ...ofCells] = titles;
  return html`
    <div class="scrolled" role="region" aria-label=${`${caption}, ${of}`} tabindex="0">
      <table class="bars">
        <caption>${caption}<span class="hidden">, ${of}</span></caption>
        <thead>
          <tr>
            <th scope="col">${ofName}</th><th scope="col" class="bar-column">${ofBar}</th>
            ${ofCells.map((title) => html`<th scope="col" class="number">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${bars.map(({ key, name, value, cells }) => html`
            <tr key=${key}>
              <th scope="row">${name}</th>
              <td class="bar-column"><div class="track" aria-hidden="true">
                <i style=${{ width: `${top > 0 ? (100 * value) / top : 0}%` }}></i>
              </div></td>
              ${cells.map((cell) => html`<td class="number">${cell}</td>`)}
            </tr>`)}
        </tbody>
      </table>
    </div>`;
}
