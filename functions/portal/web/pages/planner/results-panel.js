// What was found: how many, the rows, and the way to more of them.

import { html } from 'htm/preact';
import { useMemo } from 'preact/hooks';
import { costOf } from '../../api/limits.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { number } from '../../ui/format.js';
import { displays } from './display.js';
import { DisplayList } from './display-list.js';
import { choose, leftOut } from './plan.js';
import { hasMore, isChanged, isSearching, loadMore, narrowed, results, searchError } from './search.js';

/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('./search.js').Results} Results */

/**
 * Shows what was found last; what is wrong with a search stands at its fields and here.
 * @param {{filters: Filters, onChange: (filters: Filters) => void, retry: () => void}} props
 */
export function ResultsPanel({ filters, onChange, retry }) {
  const found = results.value;
  const said = found ? `${displays(found.total)} found` : '';
  return html`
    <${Failure} error=${searchError.value} retry=${retry} />
    <p class="hidden" role="status">${isSearching.value ? 'Searching' : said}</p>
    ${!found && !isSearching.value && html`
      <p class="soft">
        Choose filters, draw an area on the map, and search; or pick displays on the map itself.
      </p>`}
    ${found && html`<${Found} found=${found} filters=${filters} onChange=${onChange} />`}`;
}

/**
 * @param {{found: Results, filters: Filters, onChange: (filters: Filters) => void}} props
 */
function Found({ found, filters, onChange }) {
  const { setting, operator, width, height } = filters;
  const shown = useMemo(() => narrowed(found.displays, filters), [found, setting, operator, width, height]);
  const loaded = found.displays.length;
  if (found.total === 0) {
    return html`
      <h2>No display has all of this</h2>
      <p>Take a filter away, or make the area larger.</p>`;
  }
  return html`
    <h2>${displays(found.total)} found</h2>
    <p class="soft">
      ${loaded < found.total ? `${number(loaded)} of them are loaded.` : 'All of them are loaded.'}
      ${isChanged(filters) && html`<b> The filters have changed since.</b>`}
      ${found.provenance.data_maturity === 'synthetic-only' && html`
        ${' '}<span class="mark" title=${found.provenance.source}>sample data, modelled</span>`}
    </p>
    <${Narrow} all=${found.displays} shown=${shown.length} filters=${filters} onChange=${onChange} />
    <${DisplayList} label="Displays found" displays=${shown} />
    <div class="actions">
      <button type="button" disabled=${shown.length === 0} onClick=${() => choose(shown)}>
        Choose ${shown.length === 1 ? 'it' : `all ${number(shown.length)}`}
      </button>
      ${hasMore(found) && html`
        <button type="button" disabled=${isSearching.value} onClick=${loadMore}>
          Load more · ${costOf('search_inventory')}
        </button>`}
    </div>
    ${leftOut.value > 0 && html`
      <p class="warning" role="status">The plan is full: ${displays(leftOut.value)} did not fit.</p>`}`;
}

/**
 * Narrows what is loaded by what the service cannot filter by.
 * @param {{all: Display[], shown: number, filters: Filters, onChange: (filters: Filters) => void}} props
 */
function Narrow({ all, shown, filters, onChange }) {
  const settings = useMemo(() => countsOf(all, 'setting'), [all]);
  const operators = useMemo(() => countsOf(all, 'operator'), [all]);
  const isNarrow = shown < all.length;
  const change = (/** @type {keyof Filters} */ name) => (/** @type {any} */ event) =>
    onChange({ ...filters, [name]: event.target.value });
  const select = (/** @type {'setting' | 'operator'} */ name, /** @type {string} */ label,
    /** @type {[string, number][]} */ counts) => html`
    <${Field} label=${label}>
      <select value=${filters[name]} onChange=${change(name)}>
        <option value="">Any</option>
        ${counts.map(([value, count]) => html`<option value=${value}>${value} (${number(count)})</option>`)}
      </select>
    <//>`;
  const feet = (/** @type {'width' | 'height'} */ name, /** @type {string} */ label) => html`
    <${Field} label=${label}>
      <input type="number" min="0" value=${filters[name]} onInput=${change(name)} />
    <//>`;
  return html`
    <details class="narrowing">
      <summary>Narrow what is loaded${isNarrow && html`: <b>${number(shown)} shown</b>`}</summary>
      <div class="pair">
        ${select('setting', 'Roadside or place based', settings)} ${select('operator', 'Operator', operators)}
        ${feet('width', 'At least so wide, ft')} ${feet('height', 'At least so high, ft')}
      </div>
    </details>`;
}

/**
 * @param {Display[]} all
 * @param {'setting' | 'operator'} name
 * @returns {[string, number][]} each value that occurs, and how often
 */
function countsOf(all, name) {
  const groups = Map.groupBy(all.filter((display) => display[name]), (display) => display[name]);
  return [...groups].map(([value, of]) => /** @type {[string, number]} */ ([value, of.length])).sort();
}
