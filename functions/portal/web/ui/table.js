// A table with a caption. In narrow windows it scrolls, or its rows become cards.

import { html } from 'htm/preact';

/**
 * @template Row
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: Row) => any} cell
 * @property {boolean} [isNumber] whether the column contains numbers, which are right-aligned
 */

/**
 * Shows rows in a table.
 * @template Row
 * @param {{caption: string, columns: Column<Row>[], rows: Row[], keyOf: (row: Row) => string,
 *   isCaptionHidden?: boolean, isStacked?: boolean}} props if `isStacked`, narrow windows show each row as a
 *   card with the column titles
 */
export function Table({ caption, columns, rows, keyOf, isCaptionHidden = false, isStacked = false }) {
  // Block layout hides the table's structure from screen readers, so explicit roles restore it.
  const role = (/** @type {string} */ name) => (isStacked ? name : undefined);
  const inCard = (/** @type {any} */ content) =>
    (isStacked && content ? html`<div>${content}</div>` : content);
  return html`
    <div class=${isStacked ? 'scrolled stacked' : 'scrolled'} role="region" aria-label=${caption}
      tabindex="0">
      <table role=${role('table')}>
        <caption class=${isCaptionHidden ? 'hidden' : ''}>${caption}</caption>
        <thead role=${role('rowgroup')}>
          <tr role=${role('row')}>${columns.map(({ title, isNumber }) => html`
            <th scope="col" role=${role('columnheader')} class=${isNumber ? 'number' : ''}>${title}</th>`)}
          </tr>
        </thead>
        <tbody role=${role('rowgroup')}>
          ${rows.map((row) => html`
            <tr key=${keyOf(row)} role=${role('row')}>${columns.map(({ title, cell, isNumber }) => html`
              <td class=${isNumber ? 'number' : ''} role=${role('cell')}
                data-title=${isStacked ? title : undefined}>${inCard(cell(row))}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
}
