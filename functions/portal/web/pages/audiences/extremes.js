// The ten areas with the highest values and the ten with the lowest.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { Choice } from '../../ui/choice.js';
import { number } from '../../ui/format.js';
import { written } from './classes.js';

/** @typedef {import('./areas.js').Area} Area */

const LENGTH = 10;

/**
 * Lists the areas with the highest and the lowest values of the map's measure, or of the number of people.
 * @param {{areas: Area[], many: string, measure: import('./classes.js').Measure,
 *   onChoose: (code: string) => void}} props
 */
export function Extremes({ areas, many, measure, onChoose }) {
  const [isByPeople, setIsByPeople] = useState(false);
  const rank = isByPeople ? 'persons' : measure;
  const sorted = [...areas].sort((a, b) => b[rank] - a[rank]);
  const most = sorted[0]?.[rank] ?? 1;
  const value = (/** @type {Area} */ area) =>
    (isByPeople ? number(area.persons) : written(measure, area[measure]));
  const list = (/** @type {Area[]} */ some) => html`
    <ol class="extremes">
      ${some.map((area) => html`
        <li key=${area.id}>
          <button class="quiet" onClick=${() => onChoose(area.code)}>${area.name}</button>
          <span>${value(area)}</span>
          <meter min="0" max=${most} value=${area[rank]} aria-hidden="true"></meter>
        </li>`)}
    </ol>`;
  const length = Math.min(LENGTH, Math.floor(sorted.length / 2));
  const options = [{ value: 'measure', name: measure === 'index' ? 'Index' : 'Share' },
    { value: 'people', name: 'People' }];
  return html`
    <div class="wide">
      <${Choice} label="Rank by" isLabelShown=${true} options=${options}
        value=${isByPeople ? 'people' : 'measure'}
        onChange=${(/** @type {string} */ by) => setIsByPeople(by === 'people')} />
    </div>
    <section class="card" aria-labelledby="highest">
      <h2 id="highest">Top ${length} ${many}</h2>${list(sorted.slice(0, length))}
    </section>
    <section class="card" aria-labelledby="lowest">
      <h2 id="lowest">Bottom ${length} ${many}</h2>${list(sorted.slice(-length).reverse())}
    </section>`;
}
