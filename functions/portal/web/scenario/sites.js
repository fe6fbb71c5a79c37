// Looks up displays and places by ID, because campaigns and events contain only IDs.

import { signal } from '@preact/signals';
import { call } from '../api/client.js';
import { callKept } from '../api/kept.js';
import { faceSize } from '../ui/units.js';

/** @typedef {'displays' | 'places'} SiteKind */
/** @typedef {import('../api/types').Schema<'Display'>} DisplayRecord */
/** @typedef {import('../api/types').Schema<'Meta'>} Meta */

/**
 * A display or a place.
 * @typedef {object} Site
 * @property {string} id
 * @property {string} name
 * @property {string} about a one-line description
 * @property {number} lat
 * @property {number} lon
 * @property {DisplayRecord} [record] a display as the API returns it
 */

/** The sites that have been looked up, by ID; null for IDs that the release doesn't contain. */
export const sites = {
  displays: signal(/** @type {Map<string, Site | null>} */ (new Map())),
  places: signal(/** @type {Map<string, Site | null>} */ (new Map())),
};

/** The `meta` of the last display lookup, including the provenance; null before the first lookup. */
export const displaysMeta = signal(/** @type {Meta | null} */ (null));

/** The lookup operation of each kind, and the maximum number of IDs per call. */
export const LOOKUPS = /** @type {const} */ ({
  displays: { operation: 'look_up_displays', most: 2000 },
  places: { operation: 'search_places', most: 1000 },
});

/** The maximum number of places that a search by name returns. */
const MOST_NAMED = 20;

/** The formats of display IDs and place IDs. */
const DISPLAY_ID = /^[1-9]\d{0,9}$/;
const PLACE_ID = /^0*[1-9]\d{0,11}$/;

/**
 * Looks up IDs that haven't been looked up yet, and adds the results to `sites`.
 * @param {SiteKind} kind
 * @param {string[]} ids
 * @param {AbortSignal} [signal]
 */
export async function lookUp(kind, ids, signal) {
  const { most } = LOOKUPS[kind];
  const missing = [...new Set(ids)].filter((id) => !sites[kind].value.has(id));
  const asked = missing.filter(kind === 'displays' ? isDisplayId : isPlaceId);
  /** @type {Site[]} */
  const found = [];
  for (let n = 0; n < asked.length; n += most) {
    const part = asked.slice(n, n + most);
    const finding = kind === 'displays'
      ? findDisplays({ spot_ids: part.map(Number) }, signal) : findPlaces({ place_ids: part }, signal);
    found.push(...await finding);
  }
  const next = new Map(sites[kind].value);
  for (const id of missing) next.set(id, null);
  for (const site of found) next.set(site.id, site);
  sites[kind].value = next;
}

/**
 * Looks up displays by ID or by the media owner's unit numbers. Returns only the displays that were found.
 * @param {import('../api/types').Schema<'DisplayLookupRequest'>} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Site[]>}
 */
export async function findDisplays(body, signal) {
  const answer = await call('look_up_displays', { body, signal });
  displaysMeta.value = answer.body.meta;
  return answer.body.data.displays.map((record) => {
    const { spot_id: id, name, media_type: type, operator, address, size, location } = record;
    const about = [address.street, type, operator, size && faceSize(size)].filter(Boolean).join(' · ');
    return { id: String(id), name: name ?? `Display ${id}`, about, ...location, record };
  });
}

/**
 * Returns the places that match a filter. If the filter contains no IDs, returns at most 20 places.
 * @param {NonNullable<import('../api/types').Schema<'PlaceSearchRequest'>['filter']>} filter
 * @param {AbortSignal} [signal]
 * @returns {Promise<Site[]>}
 */
export async function findPlaces(filter, signal) {
  const page = { page: 1, page_size: filter.place_ids?.length ?? MOST_NAMED };
  const body = await callKept('search_places', { body: { filter, pagination: page } }, signal);
  return body.data.results.flatMap(({ place_id: id, place_name: name, location, ...rest }) => {
    const { lat, lon } = location ?? {};
    if (id === undefined || lat === undefined || lon === undefined) return [];
    const about = [rest.place_type_name, rest.street_address, rest.city, rest.state].filter(Boolean);
    return [{ id, name: name ?? `Place ${id}`, about: about.join(', '), lat, lon }];
  });
}

/**
 * Returns whether a string can be a place ID, which is a positive number with at most 12 significant digits.
 * @param {string} id
 */
export function isPlaceId(id) {
  return PLACE_ID.test(id);
}

/**
 * Returns whether a string can be a display ID.
 * @param {string} id
 */
export function isDisplayId(id) {
  return DISPLAY_ID.test(id) && Number(id) < 2 ** 32;
}
