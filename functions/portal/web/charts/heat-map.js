// A heat map as a table of colored cells. The numbers can be read with a pointer, the keyboard, or a screen
// reader.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { number } from '../ui/format.js';
import { roundUp } from './scale.js';

/** The number of shades for values above zero. The style sheet defines the same number. */
const SHADES = 6;

/**
 * @typedef {object} HeatRow
 * @property {string} name
 * @property {number[]} values
 */

/** @typedef {{row: number, column: number}} Cell */

/**
 * Shows a heat map. The arrow keys move between cells. A line below the map describes the cell that is
 * focused or under the pointer.
 * @param {{caption: string, of: string, corner: string, columns: string[], rows: HeatRow[], every?: number,
 *   most?: number, unit: string, describe: (row: number, column: number) => string}} props `of` names the
 *   subject for screen readers; `every` is the number of columns per visible title; `most` is the
 *   highest value of all maps that share the scale
 */
export function HeatMap({ caption, of, corner, columns, rows, every = 1, most, unit, describe }) {
  const [focused, setFocused] = useState(/** @type {Cell} */ ({ row: 0, column: 0 }));
  const [said, setSaid] = useState(/** @type {Cell | null} */ (null));
  const top = roundUp(most ?? Math.max(0, ...rows.flatMap(({ values }) => values)), SHADES);
  const move = (/** @type {KeyboardEvent} */ event) => {
    const to = step(event.key, focused, rows.length, columns.length);
    if (!to) return;
    event.preventDefault();
    const table = /** @type {HTMLElement} */ (event.currentTarget);
    setFocused(to);
    /** @type {HTMLElement | null} */ (table.querySelector(`[data-cell="${to.row}-${to.column}"]`))?.focus();
  };
  const cell = (/** @type {number} */ value, /** @type {number} */ row, /** @type {number} */ column) => html`
    <td role="gridcell" data-cell=${`${row}-${column}`} data-shade=${shade(value, top)}
      tabindex=${row === focused.row && column === focused.column ? 0 : -1}
      onFocus=${() => { setFocused({ row, column }); setSaid({ row, column }); }}
      onPointerEnter=${() => setSaid({ row, column })}>
      <span class="hidden">${number(Math.round(value))}</span>
    </td>`;
  return html`
    <figure class="heat-map" onPointerLeave=${() => setSaid(null)}>
      <table role="grid" aria-label=${`${caption}, ${of}`} onKeyDown=${move}>
        <thead>
          <tr>
            <th scope="col"><span class="hidden">${corner}</span></th>
            ${columns.map((name, n) => html`
              <th scope="col"><span class=${n % every === 0 ? '' : 'hidden'}>${name}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(({ name, values }, row) => html`
            <tr><th scope="row">${name}</th>${values.map((value, column) => cell(value, row, column))}</tr>`)}
        </tbody>
      </table>
      <figcaption>
        <output>${said ? describe(said.row, said.column) : caption}</output>
        <${Legend} top=${top} unit=${unit} />
      </figcaption>
    </figure>`;
}

/** @param {{top: number, unit: string}} props */
function Legend({ top, unit }) {
  const width = top / SHADES;
  return html`
    <ol class="legend" aria-label=${`Shades, ${unit}`}>
      <li><i data-shade="0" aria-hidden="true"></i>0</li>
      ${Array.from({ length: SHADES }, (_, n) => html`
        <li><i data-shade=${n + 1} aria-hidden="true"></i>to ${number(width * (n + 1))}</li>`)}
    </ol>`;
}

/**
 * @param {number} value
 * @param {number} top
 */
function shade(value, top) {
  return value <= 0 || top <= 0 ? 0 : Math.min(SHADES, Math.ceil((value / top) * SHADES));
}

/**
 * @param {string} key
 * @param {Cell} from
 * @param {number} rows
 * @param {number} columns
 * @returns {Cell | null}
 */
function step(key, { row, column }, rows, columns) {
  switch (key) {
    case 'ArrowLeft': return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight': return { row, column: Math.min(columns - 1, column + 1) };
    case 'ArrowUp': return { row: Math.max(0, row - 1), column };
    case 'ArrowDown': return { row: Math.min(rows - 1, row + 1), column };
    case 'Home': return { row, column: 0 };
    case 'End': return { row, column: columns - 1 };
    default: return null;
  }
}
