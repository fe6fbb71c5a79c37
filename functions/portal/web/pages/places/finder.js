// The place search: a form, a list of results, and a map. The page's address contains the filters.

import { html } from 'htm/preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { Empty } from '../../ui/empty.js';
import { Loading } from '../../ui/loading.js';
import { Modelled } from '../../ui/modelled.js';
import { areaOf, askedOf, faultsOf, isAsking, queryOf, requestOf } from './filter.js';
import { PlacesMap } from './places-map.js';
import { Results } from './results.js';
import { SearchForm } from './search-form.js';
import { useSearch } from './use-search.js';

/** @typedef {import('./filter.js').Area} Area */
/** @typedef {import('./filter.js').Asked} Asked */
/** @typedef {import('./filter.js').PlaceSearchRequest} PlaceSearchRequest */
/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */

/** @type {FoundPlace[]} */
const NONE = [];

/**
 * The query strings of the searches that the person has started. Only a click starts a search, because
 * searches cost credits.
 * @type {Set<string>}
 */
const clicked = new Set();

/**
 * Shows the place search. The filters in the address fill in the form, but only a click starts the search.
 * @param {{page: string, action: (place: FoundPlace) => any, chosen?: Map<string, FoundPlace>,
 *   below?: (found: FoundPlace[], wanted: PlaceSearchRequest) => any, children?: any}} props `page` is the
 *   path of this page; `action` renders the button of a row; `chosen` places always appear on the map;
 *   `below` renders content below the results; `children` are shown beside the map
 */
export function Finder({ page, action, chosen, below, children }) {
  const { query, route } = useLocation();
  const asked = useMemo(() => askedOf(query), [JSON.stringify(query)]);
  const [, setClicks] = useState(0);
  const isClicked = clicked.has(queryOf(asked));
  const wanted = useMemo(() => (isClicked ? wantedOf(asked) : null), [asked, isClicked]);
  const search = useSearch(wanted);
  const [selected, setSelected] = useState(/** @type {string | null} */ (null));
  const [drawn, setDrawn] = useState(/** @type {Area | null} */ (null));
  const map = useRef(/** @type {import('maplibre-gl').Map | null} */ (null));
  const go = (/** @type {Asked} */ next) => {
    setSelected(null);
    setDrawn(null);
    clicked.add(queryOf(next));
    setClicks((before) => before + 1);
    route(`${pageUrl(page)}?${queryOf(next)}`);
  };
  const turn = (/** @type {number} */ to) => go({ ...asked, page: String(to) });
  const found = search.found?.data.results ?? NONE;
  const shown = useMemo(() => withChosen(found, chosen), [found, chosen]);
  const area = useMemo(() => drawn ?? areaOf(asked), [drawn, asked]);
  const ids = useMemo(() => new Set(chosen?.keys()), [chosen]);
  return html`
    <div class=${children ? 'finder of-3' : 'finder'}>
      <section class="panel" aria-label="Search">
        <${SearchForm} asked=${asked} onSearch=${go} error=${search.error} retry=${search.retry}
          viewOf=${() => viewOf(map.current)} drawn=${drawn} />
        <${Found} search=${search} asked=${asked} isAsked=${wanted !== null} selected=${selected}
          onSelect=${setSelected} onPage=${turn} action=${action} />
        ${wanted && found.length > 0 && below?.(found, wanted)}
      </section>
      <div class="map-frame">
        <${PlacesMap} label="Map of places" places=${shown} found=${found} selected=${selected}
          chosen=${ids} area=${area} onSelect=${setSelected} onDrawn=${setDrawn} mapRef=${map} />
      </div>
      ${children}
    </div>`;
}

/**
 * @param {{search: import('./use-search.js').Search, asked: Asked, isAsked: boolean, selected: string | null,
 *   onSelect: (id: string) => void, onPage: (page: number) => void,
 *   action: (place: FoundPlace) => any}} props
 */
function Found({ search, asked, isAsked, selected, onSelect, onPage, action }) {
  const { found, isLoading, error } = search;
  if (!isAsked && isAsking(asked)) {
    return html`
      <${Empty} title="Ready to search">
        <p>The form is filled in. Click Search to run it.</p>
      <//>`;
  }
  if (!isAsked) {
    return html`
      <${Empty} title="Find places"><p>Search by name, brand, address, or type, or search the map view.</p><//>`;
  }
  if (!found) return isLoading ? html`<${Loading} what="places" lines=${6} />` : null;
  if (found.data.pagination.total_results === 0 && !error) {
    return html`<${Empty} title="No places match"><p>Remove a word or a filter.</p><//>`;
  }
  return html`
    <${Modelled} provenance=${found.meta.provenance} />
    <${Results} found=${found} isOld=${isLoading} selected=${selected} onSelect=${onSelect} onPage=${onPage}
      cost=${costOf('search_places')} action=${action} />`;
}

/** @param {Asked} asked */
function wantedOf(asked) {
  const isValid = Object.keys(faultsOf(asked)).length === 0;
  return isAsking(asked) && isValid ? requestOf(asked) : null;
}

/**
 * @param {FoundPlace[]} found
 * @param {Map<string, FoundPlace>} [chosen]
 */
function withChosen(found, chosen) {
  if (!chosen) return found;
  const ids = new Set(found.map(({ place_id: id }) => id));
  return [...found, ...[...chosen.values()].filter(({ place_id: id }) => !ids.has(id))];
}

/**
 * Returns the visible part of a map as a rectangle, or null if the map hasn't been created yet.
 * @param {import('maplibre-gl').Map | null} map
 * @returns {Area | null}
 */
function viewOf(map) {
  if (!map) return null;
  const bounds = map.getBounds();
  return {
    kind: 'rectangle', west: Math.max(-180, bounds.getWest()), south: Math.max(-90, bounds.getSouth()),
    east: Math.min(180, bounds.getEast()), north: Math.min(90, bounds.getNorth()),
  };
}
