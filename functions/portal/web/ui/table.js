// A table with a caption; on narrow windows it scrolls within itself.

import { html } from 'htm/preact';

/**
 * @template Row
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: Row) => any} cell
 * @property {boolean} [isNumber] whether it stands at the right, in figures of one width
 */

/**
 * Shows rows.
 * @template Row
 * @param {{caption: string, columns: Column<Row>[], rows: Row[], keyOf: (row: Row) => string,
 *   isCaptionHidden?: boolean}} props
 */
export function Table({ caption, columns, rows, keyOf, isCaptionHidden = false }) {
  return html`
    <div class="scrolled" role="region" aria-label=${caption} tabindex="0">
      <table>
        <caption class=${isCaptionHidden ? 'hidden' : ''}>${caption}</caption>
        <thead>
          <tr>${columns.map(({ title, isNumber }) => html`
            <th scope="col" class=${isNumber ? 'number' : ''}>${title}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map((row) => html`
            <tr key=${keyOf(row)}>${columns.map(({ cell, isNumber }) => html`
              <td class=${isNumber ? 'number' : ''}>${cell(row)}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
}
