// The comparison of two audiences by area.

import { html } from 'htm/preact';
import { DifferenceTable } from '../../charts/difference-table.js';
import { Field } from '../../ui/field.js';
import { areasOf } from './areas.js';
import { written } from './classes.js';

/** @typedef {import('./areas.js').Population} Population */

/** The maximum number of rows, largest difference first. */
const MOST = 25;

/**
 * Shows a list of the other loaded audiences, and the differences from the one that the person chooses.
 * @param {{population: Population, others: Population[], other: Population | undefined, many: string,
 *   measure: import('./classes.js').Measure, onOther: (id: string | null) => void}} props
 */
export function CompareAudiences({ population, others, other, many, measure, onOther }) {
  return html`
    <section class="card wide" aria-labelledby="compare">
      <h2 id="compare">Compare</h2>
      ${others.length === 0
        ? html`<p class="soft">To compare audiences, show another one for the same areas.</p>`
        : html`
          <${Field} label="Compare with">
            <select value=${other?.service_segment_id ?? ''}
              onChange=${(/** @type {any} */ event) => onOther(event.target.value || null)}>
              <option value="">No audience</option>
              ${others.map(({ service_segment_id: id, customer_segment_name: name }) => html`
                <option value=${id}>${name}</option>`)}
            </select>
          <//>`}
      ${other && html`
        <${Differences} populations=${[population, other]} many=${many} measure=${measure} />`}
    </section>`;
}

/**
 * @param {{populations: [Population, Population], many: string,
 *   measure: import('./classes.js').Measure}} props
 */
function Differences({ populations: [first, second], many, measure }) {
  const of = new Map(areasOf(second).map((area) => [area.id, area[measure]]));
  const rows = areasOf(first).map((area) => ({
    key: area.id, name: area.name, values: [area[measure], of.get(area.id) ?? 0],
    format: (/** @type {number} */ value) => written(measure, value),
    difference: measure === 'share' ? points : undefined,
  }));
  const size = ({ values: [a, b] } = rows[0]) => Math.abs(b - a);
  const shown = rows.sort((a, b) => size(b) - size(a)).slice(0, MOST);
  const title = measure === 'index' ? 'Index' : 'Share of residents';
  return html`
    <${DifferenceTable} caption=${`${title}, the ${shown.length} ${many} with the largest differences`}
      title="Area" names=${[first.customer_segment_name, second.customer_segment_name]} rows=${shown} hasOneScale />`;
}

/** @param {number} percent */
function points(percent) {
  return `${percent.toFixed(1)} points`;
}
