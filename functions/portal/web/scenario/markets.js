// Loads markets and their names, because campaigns and events contain only the IDs of markets.

import { signal } from '@preact/signals';
import { call } from '../api/client.js';

/** @typedef {import('../api/types').Schema<'Market'>} Market */
/** @typedef {import('../api/types').Schema<'AreaType'>} AreaType */

/** The area types and their display names. */
export const AREA_TYPES = /** @type {const} */ ([
  ['DMA', 'TV market (DMA)'], ['CBSA', 'Metro area (CBSA)'], ['COUNTY', 'County'], ['STATE', 'State'],
  ['ZIP', 'ZIP code'],
]);

/** All loaded markets, by ID. */
export const knownMarkets = signal(/** @type {Map<string, Market>} */ (new Map()));

/** @typedef {{markets: Market[], isAll: boolean}} Found `isAll` is true if no other markets match */

/** @type {Map<string, Promise<Found>>} */
const asked = new Map();

/**
 * Returns the matching markets, most populous first. Makes one free call the first time.
 * @param {AreaType} type
 * @param {string} [words] part of the name, or the first digits of a ZIP code
 * @returns {Promise<Found>} at most 100
 */
export function findMarkets(type, words = '') {
  const key = `${type} ${words}`;
  const known = asked.get(key);
  if (known) return known;
  const query = /** @type {const} */ ({
    geography_type: type, q: words || undefined, sort: 'population', direction: 'desc', limit: 100,
  });
  const found = call('list_markets', { query }).then(({ body }) => {
    const added = body.data.map((market) => /** @type {[string, Market]} */ ([market.market_id, market]));
    knownMarkets.value = new Map([...knownMarkets.value, ...added]);
    return { markets: body.data, isAll: !body.pagination.has_more };
  });
  found.catch(() => asked.delete(key));
  asked.set(key, found);
  return found;
}

/** The prefixes of market IDs, with the area type of each. */
const BEGINNINGS = /** @type {const} */ ([
  ['US2020XDMA', 'DMA'], ['US2020XMSA', 'CBSA'], ['US2020STCO', 'COUNTY'], ['US2020XXST', 'STATE'],
  ['US2020ZCTA', 'ZIP'],
]);

/** The area types whose names `nameMarkets` loads, with one list per type. */
const READ = /** @type {const} */ (['DMA', 'CBSA', 'STATE']);

/**
 * Loads the names of markets that haven't been loaded, with one free call per area type.
 * @param {string[]} ids
 */
export async function nameMarkets(ids) {
  await Promise.all(unreadTypes(ids).map((type) => findMarkets(type)));
}

/**
 * Loads the name of at least one market whose name isn't loaded yet, with one free call.
 * @param {string[]} ids
 */
export async function nameFirstMarket(ids) {
  const [type] = unreadTypes(ids);
  if (type) return findMarkets(type);
  const unnamed = ids.find((id) => !knownMarkets.value.has(id));
  if (unnamed === undefined) return;
  return typeOf(unnamed) === 'ZIP' ? findMarkets('ZIP', unnamed.slice(-5)) : findMarkets('COUNTY');
}

/**
 * Returns the area types in `READ` for which names are missing and whose list hasn't been requested yet.
 * @param {string[]} ids
 */
export function unreadTypes(ids) {
  const types = new Set(ids.filter((id) => !knownMarkets.value.has(id)).map(typeOf));
  return READ.filter((type) => types.has(type) && !asked.has(`${type} `));
}

/**
 * Returns a market's name. If the market hasn't been loaded, returns the ZIP code in its ID, or the ID
 * itself.
 * @param {string} id
 */
export function marketName(id) {
  const known = knownMarkets.value.get(id);
  if (known) return known.geography_type === 'ZIP' ? `${known.name} ${id.slice(-5)}` : known.name;
  return typeOf(id) === 'ZIP' ? `ZIP code ${id.slice(-5)}` : id;
}

/**
 * Returns the area type of a market ID; null if the ID's prefix is unknown.
 * @param {string} id such as `US2020XDMA501`
 * @returns {AreaType | null}
 */
function typeOf(id) {
  return BEGINNINGS.find(([beginning]) => id.startsWith(beginning))?.[1] ?? null;
}
