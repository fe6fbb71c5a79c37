// The search box above the map. It finds areas, ZIP codes, coordinates, displays by ID, and places by name.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { costOf } from '../../api/limits.js';
import { findAreas } from '../../map/gazetteer.js';
import { metersBetween } from '../../map/geodesy.js';
import { findDisplays, findPlaces, isDisplayId } from '../../scenario/sites.js';
import { Combobox } from '../../ui/combobox.js';
import { Failure } from '../../ui/failure.js';
import { ofLookup } from './display.js';
import { inPlace } from './filters.js';
import { selected } from './plan.js';

/** @typedef {import('../../map/geodesy.js').Point} Point */
/** @typedef {import('../../map/gazetteer.js').NamedArea} NamedArea */
/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('maplibre-gl').Map} LibreMap */

/**
 * A suggestion: either a point to show on the map, with the filters to set, or a display to look up.
 * @typedef {{id: string, name: string, hint?: string, at?: Point, zoom?: number, place?: Partial<Filters>}}
 *   Suggestion
 */

/**
 * The kinds of areas, each with its noun, the zoom level at which such an area fits the map, and the filter
 * that it sets.
 */
const KINDS = /** @type {Record<string, [string, number, keyof Filters | null]>} */ ({
  state: ['state', 6, 'state'], county: ['county', 9, 'county_name'], borough: ['borough', 11, 'county_name'],
  city: ['city', 11, null], neighborhood: ['neighborhood', 14, null], zip_code: ['ZIP code', 13, 'zip_code'],
});
/** The zoom level for a single point. */
const NEAR = 15;

/**
 * Words that are often abbreviated in the names of places. A search for the abbreviation also finds the whole
 * word, because the abbreviation is a prefix of the word.
 */
const ABBREVIATIONS = /** @type {Record<string, string>} */ ({ square: 'sq', street: 'st', avenue: 'ave' });

/**
 * Shows the search box. Choosing an area moves the map and sets a location filter. Only the search for places
 * costs credits.
 * @param {{map: LibreMap | null, filters: import('@preact/signals').Signal<Filters>}} props
 */
export function PlaceBox({ map, filters }) {
  const [words, setWords] = useState('');
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const { found, setPlaces } = useSuggestions(words);
  const searched = words.trim();
  const choose = (/** @type {Suggestion} */ { id, at, zoom, place }) => {
    if (at) {
      filters.value = inPlace(filters.value, place ?? {});
      map?.easeTo({ center: at, zoom });
    } else findDisplays({ spot_ids: [Number(id)] }).then(([site]) => {
      if (site?.record) selected.value = ofLookup(site.record);
      else setError(new Error(`The current data contains no display ${id}.`));
    }, setError);
  };
  const search = () => placesOf(searched, map).then(setPlaces, setError);
  const write = (/** @type {string} */ text) => {
    setError(null);
    setWords(text);
  };
  return html`
    <div class="place-box">
      <${Combobox} aria-label="Find on the map" placeholder="City, county, ZIP, place, or display ID"
        words=${words} onWords=${write} choices=${found} onChoose=${choose}
        onEnter=${() => found[0] && choose(found[0])}
        none=${html`<p>${searched === '' ? 'Coordinates work, too.' : 'No area matches.'}</p>`}
        more=${searched !== '' && html`
          <button type="button" class="quiet" onClick=${search}>
            Search places for “${searched}” · ${costOf('search_places')}</button>`} />
      <${Failure} error=${error} />
    </div>`;
}

/**
 * Returns the suggestions for the typed words, and a function that adds the results of a place search.
 * @param {string} words
 */
function useSuggestions(words) {
  const [areas, setAreas] = useState(/** @type {Suggestion[]} */ ([]));
  const [places, setPlaces] = useState(/** @type {Suggestion[]} */ ([]));
  useEffect(() => {
    let isLeft = false;
    setPlaces([]);
    findAreas(words).then((found) => isLeft || setAreas(found.map(ofArea)), () => {});
    return () => { isLeft = true; };
  }, [words]);
  return { found: [...places, ...ofNumbers(words.trim()), ...areas], setPlaces };
}

/**
 * @param {NamedArea} area
 * @returns {Suggestion}
 */
function ofArea({ kind, name, state, latitude, longitude }) {
  const [word, zoom, filter] = KINDS[kind] ?? ['', NEAR, null];
  const full = kind === 'county' ? `${name}, ${state}` : kind === 'zip_code' ? name.slice(0, 5) : name;
  return {
    id: `${kind} ${name} ${state}`, name: kind === 'state' ? name : `${name}, ${state}`, hint: word, zoom,
    at: [longitude, latitude], place: filter ? { [filter]: full } : {},
  };
}

/**
 * Returns the suggestions for typed coordinates (latitude first) or a typed display ID.
 * @param {string} words
 * @returns {Suggestion[]}
 */
function ofNumbers(words) {
  const [, latitude, longitude] = /^(-?\d+\.\d+)[,\s]+(-?\d+\.\d+)$/.exec(words) ?? [];
  if (Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180) {
    const at = /** @type {Point} */ ([Number(longitude), Number(latitude)]);
    return [{ id: words, name: words, hint: 'coordinates', at, zoom: NEAR }];
  }
  if (!isDisplayId(words) || words.length <= 5) return [];
  return [{ id: words, name: `Display ${words}`, hint: costOf('look_up_displays') }];
}

/**
 * Searches for places by name, and returns them sorted by distance from the map's center.
 * @param {string} words
 * @param {LibreMap | null} map
 * @returns {Promise<Suggestion[]>}
 */
async function placesOf(words, map) {
  const parts = words.toLowerCase().split(/\s+/);
  const last = parts.pop() ?? '';
  const sites = await findPlaces({ place_name: [...parts, ABBREVIATIONS[last] ?? last].join(' ') });
  const { lng = 0, lat = 0 } = map?.getCenter() ?? {};
  const far = (/** @type {{lon: number, lat: number}} */ site) =>
    metersBetween([lng, lat], [site.lon, site.lat]);
  return sites.sort((a, b) => far(a) - far(b)).map(({ id, name, about, lon, lat: north }) => (
    { id: `place ${id}`, name, hint: about, at: [lon, north], zoom: NEAR }));
}
