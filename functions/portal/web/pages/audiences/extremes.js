// The ten areas with the highest values and the ten areas with the lowest values.

import { html } from 'htm/preact';
import { written } from './classes.js';

/** @typedef {import('./areas.js').Area} Area */

const LENGTH = 10;

/**
 * Shows the areas with the highest and the lowest values in two lists.
 * @param {{areas: Area[], many: string, measure: import('./classes.js').Measure,
 *   onChoose: (code: string) => void}} props
 */
export function Extremes({ areas, many, measure, onChoose }) {
  const sorted = [...areas].sort((a, b) => b[measure] - a[measure]);
  const most = sorted[0]?.[measure] ?? 1;
  const list = (/** @type {Area[]} */ some) => html`
    <ol class="extremes">
      ${some.map((area) => html`
        <li key=${area.id}>
          <button class="quiet" onClick=${() => onChoose(area.code)}>${area.name}</button>
          <span>${written(measure, area[measure])}</span>
          <meter min="0" max=${most} value=${area[measure]} aria-hidden="true"></meter>
        </li>`)}
    </ol>`;
  const length = Math.min(LENGTH, Math.floor(sorted.length / 2));
  return html`
    <section class="card" aria-labelledby="highest">
      <h2 id="highest">Top ${length} ${many}</h2>${list(sorted.slice(0, length))}
    </section>
    <section class="card" aria-labelledby="lowest">
      <h2 id="lowest">Bottom ${length} ${many}</h2>${list(sorted.slice(-length).reverse())}
    </section>`;
}
