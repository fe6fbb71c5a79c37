// The search of places, as a list and a map together; what is looked for lies in the address.

import { html } from 'htm/preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../configuration.js';
import { download } from '../../ui/download.js';
import { Empty } from '../../ui/empty.js';
import { Failure } from '../../ui/failure.js';
import { Loading } from '../../ui/loading.js';
import { askedOf, circleOf, faultsOf, isAsking, queryOf, requestOf } from './filter.js';
import { PlacesMap } from './places-map.js';
import { Results } from './results.js';
import { SearchForm } from './search-form.js';
import { useSearch } from './use-search.js';

/** @typedef {import('./filter.js').Asked} Asked */
/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */

/** The most rows that one answer may have. */
const MOST_ROWS = 10000;
/** @type {FoundPlace[]} */
const NONE = [];

/** Searches places; an address that asks for something searches when it opens. */
export default function Places() {
  const { query, route } = useLocation();
  const asked = useMemo(() => askedOf(query), [JSON.stringify(query)]);
  const isValid = Object.keys(faultsOf(asked)).length === 0;
  const wanted = useMemo(() => (isAsking(asked) && isValid ? requestOf(asked) : null), [asked]);
  const search = useSearch(wanted);
  const [selected, setSelected] = useState(/** @type {string | null} */ (null));
  const picking = usePicking();
  const map = useRef(/** @type {import('maplibre-gl').Map | null} */ (null));
  const go = (/** @type {Asked} */ next) => {
    setSelected(null);
    route(`${pageUrl('places')}?${queryOf(next)}`);
  };
  return html`
    <h1 class="hidden">Places</h1>
    <div class="finder">
      <aside class="panel" aria-label="Search">
        <${SearchForm} asked=${asked} onSearch=${go} error=${search.error} viewOf=${() => viewOf(map.current)}
          picking=${picking} />
        <${Failure} error=${search.error} retry=${search.retry} />
        <${Found} search=${search} wanted=${wanted} selected=${selected} onSelect=${setSelected}
          onPage=${(/** @type {number} */ page) => go({ ...asked, page: String(page) })} />
      </aside>
      <div class="map-frame">
        <${PlacesMap} label="Places that were found" places=${search.found?.data.results ?? NONE} selected=${selected}
          circle=${circleOf(asked)} onSelect=${setSelected} isPicking=${picking.isOn} onPick=${picking.pick} mapRef=${map} />
      </div>
    </div>`;
}

/**
 * @param {{search: import('./use-search.js').Search, selected: string | null, onSelect: (id: string) => void,
 *   wanted: import('./filter.js').PlaceSearchRequest | null, onPage: (page: number) => void}} props
 */
function Found({ search, wanted, selected, onSelect, onPage }) {
  const { found, isLoading, error } = search;
  if (!wanted) {
    return html`<${Empty} title="Look for places"><p>By name, city or type, or in what the map shows.</p><//>`;
  }
  if (!found) return isLoading ? html`<${Loading} what="places" lines=${6} />` : null;
  if (found.data.pagination.total_results === 0 && !error) {
    return html`<${Empty} title="No place is like that"><p>Take a word or a filter away.</p><//>`;
  }
  return html`
    <${Results} found=${found} isOld=${isLoading} selected=${selected} onSelect=${onSelect} onPage=${onPage}
      cost=${costOf('search_places')} action=${report} />
    <${SaveTable} wanted=${wanted} />`;
}

/** @param {FoundPlace} place */
function report(place) {
  return html`
    <a class="button" href=${pageUrl(`places/${place.place_id}`)} aria-label=${`Report on ${place.place_name}`}>
      Report · ${costOf('search_places', 'report_places')}
    </a>`;
}

/** @param {{wanted: import('./filter.js').PlaceSearchRequest}} props */
function SaveTable({ wanted }) {
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const save = async () => {
    setError(null);
    try {
      const body = { ...wanted, pagination: { page: 1, page_size: MOST_ROWS } };
      const answered = await call('search_places', { body, accept: 'text/csv' });
      download('places.csv', 'text/csv', /** @type {any} */ (answered.body));
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
    }
  };
  return html`
    <p><button onClick=${save}>Download all as CSV · ${costOf('search_places')}</button></p>
    <${Failure} error=${error} retry=${save} />`;
}

/** Takes one point from the map, once asked to. */
export function usePicking() {
  const [isOn, setIsOn] = useState(false);
  const [picked, setPicked] = useState(/** @type {string | null} */ (null));
  const pick = (/** @type {number} */ lat, /** @type {number} */ lon) => {
    setPicked(`${lat.toFixed(5)}, ${lon.toFixed(5)}`);
    setIsOn(false);
  };
  return { isOn, picked, pick, start: () => setIsOn(!isOn) };
}

/**
 * Names the area that a map shows, as the address has it.
 * @param {import('maplibre-gl').Map | null} map
 */
export function viewOf(map) {
  if (!map) return null;
  const bounds = map.getBounds();
  const sides = [Math.max(-180, bounds.getWest()), Math.max(-90, bounds.getSouth()), Math.min(180, bounds.getEast()),
    Math.min(90, bounds.getNorth())];
  return sides.map((side) => side.toFixed(5)).join(',');
}
