// A table of indexes. Bars extend to the left or right of 100, the national average.

import { html } from 'htm/preact';

/** The index of the national average. */
const NATION = 100;
/** The minimum index at the end of the axis. A shorter axis would exaggerate small differences. */
const LEAST_TOP = 200;

/**
 * @typedef {object} Indexed
 * @property {string} key
 * @property {string} name
 * @property {number} index
 * @property {string} share the formatted share, such as `12.3%`
 */

/**
 * Shows indexes on an axis that starts at 0 and has a line at 100.
 * @param {{caption: string, of: string, rows: Indexed[], most?: number, shareTitle: string}} props
 *   `of` names the subject for screen readers; `most` is the highest index of all tables that share the axis
 */
export function IndexBars({ caption, of, rows, most, shareTitle }) {
  const top = topOf(most ?? Math.max(0, ...rows.map(({ index }) => index)));
  return html`
    <div class="scrolled" role="region" aria-label=${`${caption}, ${of}`} tabindex="0">
      <table class="bars index-bars">
        <caption>${caption}<span class="hidden">, ${of}</span></caption>
        <thead>
          <tr>
            <th scope="col">Cohort</th>
            <th scope="col" class="bar-column"><${Axis} top=${top} /></th>
            <th scope="col" class="number">Index</th>
            <th scope="col" class="number">${shareTitle}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(({ key, name, index, share }) => html`
            <tr key=${key}>
              <th scope="row">${name}</th>
              <td class="bar-column"><div class="track" aria-hidden="true">
                <b style=${{ left: place(NATION, top) }}></b>
                <i class=${index < NATION ? 'below' : 'above'} style=${span(index, top)}></i>
              </div></td>
              <td class="number">${Math.round(index)}</td>
              <td class="number">${share}</td>
            </tr>`)}
        </tbody>
      </table>
    </div>`;
}

/** @param {{top: number}} props */
function Axis({ top }) {
  return html`
    <span class="hidden">Index as a bar from 100</span>
    <span class="axis" aria-hidden="true">
      <span style=${{ left: 0 }}>0</span>
      <span style=${{ left: place(NATION, top) }}>100</span>
      <span style=${{ left: '100%' }}>${top}</span>
    </span>`;
}

/** @param {number} highest */
function topOf(highest) {
  return Math.max(LEAST_TOP, Math.ceil(highest / 100) * 100);
}

/**
 * @param {number} index
 * @param {number} top
 */
function place(index, top) {
  return `${(100 * index) / top}%`;
}

/**
 * @param {number} index
 * @param {number} top
 */
function span(index, top) {
  return { left: place(Math.min(index, NATION), top), width: place(Math.abs(index - NATION), top) };
}
