// The search results: the total, the list of displays, and a button that loads the next page.

import { html } from 'htm/preact';
import { useMemo, useState } from 'preact/hooks';
import { costOf } from '../../api/limits.js';
import { busyLabel } from '../../api/waiting.js';
import { cohortName } from '../../scenario/cohorts.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { count, number } from '../../ui/format.js';
import { displays } from './display.js';
import { DisplayList } from './display-list.js';
import { choose, leftOut } from './plan.js';
import { criteriaOf, placesShown, showPlaces } from './places-shown.js';
import { view } from './planner-map.js';
import { hasMore, isChanged, isSearching, loadMore, refined, results, searchError } from './search.js';

/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('./search.js').Results} Results */

const SEARCH_PLACES = /** @type {const} */ ('search_places');

/**
 * Shows the results of the last search. An error is shown both here and next to the field that caused it.
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
        Choose filters or draw an area on the map, then search. You can also select displays on the map.
      </p>`}
    ${found && html`<${Found} found=${found} filters=${filters} onChange=${onChange} />`}`;
}

/**
 * @param {{found: Results, filters: Filters, onChange: (filters: Filters) => void}} props
 */
function Found({ found, filters, onChange }) {
  const { environment, owner, width, height } = filters;
  const shown = useMemo(() => refined(found.displays, filters), [found, environment, owner, width, height]);
  const loaded = found.displays.length;
  if (found.total === 0) {
    return html`
      <h2>No displays match</h2>
      <p>${isChanged(filters) ? 'The filters have changed. Search again.'
        : 'Remove a filter or enlarge the area.'}</p>`;
  }
  return html`
    <h2>${displays(found.total)} found</h2>
    <p class="soft">
      ${loaded < found.total ? `${number(loaded)} loaded.` : 'All loaded.'}
      ${isChanged(filters) && html`<b> The filters have changed. Search again.</b>`}
      ${found.provenance.data_maturity === 'synthetic-only' && html`
        ${' '}<span class="mark" title=${found.provenance.source}>sample data, modelled</span>`}
    </p>
    <${Refine} all=${found.displays} shown=${shown.length} filters=${filters} onChange=${onChange} />
    <${NearPlaces} key=${found.search} found=${found} />
    ${found.filters.cohort && html`
      <p class="soft">Index for ${cohortName(found.filters.cohort)}: at 100, the audience’s share of a
        display’s viewers equals its national share. Indexes are modelled.</p>`}
    <${DisplayList} key=${found.search} label="Displays found" displays=${shown} indexes=${found.indexes} />
    <${Adding} shown=${shown} />
    <div class="actions">
      ${hasMore(found) && html`
        <button type="button" disabled=${isSearching.value} onClick=${loadMore}>
          ${isSearching.value ? busyLabel('Loading…') : `Load more · ${costOf('search_inventory')}`}
        </button>`}
    </div>
    ${leftOut.value > 0 && html`
      <p class="warning" role="status">The plan is full. ${displays(leftOut.value)} didn’t fit.</p>`}`;
}

/**
 * Shows a button that displays the search's places on the map. Shows nothing if the search has no criteria
 * for places.
 * @param {{found: Results}} props
 */
function NearPlaces({ found }) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const criteria = criteriaOf(found.filters);
  const { search, places } = placesShown.value;
  if (criteria.length === 0) return null;
  const show = async () => {
    setIsBusy(true);
    setError(null);
    await showPlaces(found).catch(setError);
    setIsBusy(false);
  };
  if (search === found.search) {
    const rings = criteria.includes('away') ? ' Rings mark places that displays must not be near.' : '';
    return html`<p class="soft" role="status">The map shows ${count(places.length, 'place')}.${rings}</p>`;
  }
  return html`
    <p><button type="button" disabled=${isBusy} onClick=${show}>
      ${isBusy ? busyLabel('Loading…')
        : `Show the places on the map · ${costOf(...criteria.map(() => SEARCH_PLACES))}`}</button></p>
    <${Failure} error=${error} retry=${show} />`;
}

/**
 * Shows buttons that add many results at once.
 * @param {{shown: Display[]}} props
 */
function Adding({ shown }) {
  const [first, setFirst] = useState('');
  const most = Math.min(Math.floor(Number(first)), shown.length);
  const seen = view.value?.find(({ kind }) => kind === 'rectangle');
  const inView = seen?.kind === 'rectangle' ? shown.filter(({ at }) => contains(seen, at)) : [];
  return html`
    <div class="adding" role="group" aria-label="Add to plan">
      <button type="button" disabled=${shown.length === 0} onClick=${() => choose(shown)}>
        ${shown.length === 1 ? 'Add to plan' : `Add all ${number(shown.length)}`}
      </button>
      ${inView.length < shown.length && html`
        <button type="button" disabled=${inView.length === 0}
          onClick=${() => choose(inView)}>Add ${number(inView.length)} in view</button>`}
      ${shown.length > 1 && html`
        <span class="first">
          <label>First <input type="number" min="1" max=${shown.length} placeholder="30" value=${first}
            onInput=${(/** @type {any} */ event) => setFirst(event.target.value)} /></label>
          <button type="button" disabled=${!(most > 0)}
            onClick=${() => choose(shown.slice(0, most))}>Add</button>
        </span>`}
    </div>`;
}

/**
 * @param {{north: number, south: number, east: number, west: number}} box
 * @param {[number, number]} at
 */
function contains({ north, south, east, west }, [longitude, latitude]) {
  return latitude <= north && latitude >= south && longitude <= east && longitude >= west;
}

/**
 * Shows the filters that the API doesn't support. They apply only to the loaded results.
 * @param {{all: Display[], shown: number, filters: Filters, onChange: (filters: Filters) => void}} props
 */
function Refine({ all, shown, filters, onChange }) {
  const environments = useMemo(() => countsOf(all, 'environment'), [all]);
  const owners = useMemo(() => countsOf(all, 'owner'), [all]);
  const isNarrow = shown < all.length;
  const change = (/** @type {keyof Filters} */ name) => (/** @type {any} */ event) =>
    onChange({ ...filters, [name]: event.target.value });
  const select = (/** @type {'environment' | 'owner'} */ name, /** @type {string} */ label,
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
      <summary>Refine results${isNarrow && html`: <b>${number(shown)} shown</b>`}</summary>
      <div class="pair">
        ${select('environment', 'Environment', environments)} ${select('owner', 'Media owner', owners)}
        ${feet('width', 'Min. width (ft)')} ${feet('height', 'Min. height (ft)')}
      </div>
    </details>`;
}

/**
 * @param {Display[]} all
 * @param {'environment' | 'owner'} name
 * @returns {[string, number][]} each value with its number of displays
 */
function countsOf(all, name) {
  const groups = Map.groupBy(all.filter((display) => display[name]), (display) => display[name]);
  return [...groups].map(([value, of]) => /** @type {[string, number]} */ ([value, of.length])).sort();
}
