// The places in the criteria of the last search: places that displays must be near, and places that they must
// not be near. The map shows the places on request.

import { signal } from '@preact/signals';
import { callKept } from '../../api/kept.js';
import { NEAR, placesOf } from './near-places.js';

/** @typedef {import('./near-places.js').NearName} NearName */
/** @typedef {import('./near-places.js').NearFilters} NearFilters */
/** @typedef {{id: string, name: string, type: string, at: [number, number], isAway: boolean}} ShownPlace */

/** The maximum number of places that a criterion of an inventory search can match. */
const MOST = 5000;

/** The places, with the number of the search whose criteria they match. */
export const placesShown = signal({ search: 0, places: /** @type {ShownPlace[]} */ ([]) });

/**
 * Returns the names of the criteria that are filled in. Showing the places of a criterion takes one call.
 * @param {NearFilters} filters
 */
export function criteriaOf(filters) {
  const names = /** @type {NearName[]} */ (Object.keys(NEAR));
  return names.filter((name) => placesOf(filters, name) !== null);
}

/**
 * Loads the places for a search's criteria, and shows them on the map.
 * @param {{search: number, filters: NearFilters}} results
 */
export async function showPlaces({ search, filters }) {
  const parts = await Promise.all(criteriaOf(filters).map((name) => load(filters, name)));
  placesShown.value = { search, places: parts.flat() };
}

/**
 * @param {NearFilters} filters
 * @param {NearName} name
 * @returns {Promise<ShownPlace[]>}
 */
async function load(filters, name) {
  const body = {
    filter: placesOf(filters, name), pagination: { page: 1, page_size: MOST },
    fieldSet: /** @type {const} */ (['place_id', 'place_name', 'place_type_name', 'location']),
  };
  const { data } = await callKept('search_places', { body: { ...body, fieldSet: [...body.fieldSet] } });
  return data.results.map(({ place_id: id, place_name: text, place_type_name: type, location }) => ({
    id: id ?? '', name: text ?? '', type: type ?? '', at: [location?.lon ?? 0, location?.lat ?? 0],
    isAway: name === 'away',
  }));
}
