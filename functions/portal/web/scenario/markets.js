// Markets by id, as far as the pages have seen them: campaigns and events hold ids alone.

import { signal } from '@preact/signals';
import { call } from '../api/client.js';

/** @typedef {import('../api/types').Schema<'Market'>} Market */
/** @typedef {import('../api/types').Schema<'AreaType'>} AreaType */

/** What people call each type of area. */
export const AREA_TYPES = /** @type {const} */ ([
  ['DMA', 'TV market (DMA)'], ['CBSA', 'Metro area (CBSA)'], ['COUNTY', 'County'], ['STATE', 'State'],
  ['ZIP', 'ZIP code'],
]);

/** Every market that an answer has named so far. */
export const knownMarkets = signal(/** @type {Map<string, Market>} */ (new Map()));

/** @typedef {{markets: Market[], isAll: boolean}} Found `isAll` says that no further ones match */

/** @type {Map<string, Promise<Found>>} */
const asked = new Map();

/**
 * Finds markets, the most populous first: a counted call that costs nothing, and none when it was asked
 * before.
 * @param {AreaType} type
 * @param {string} [words] a part of the name, or the first digits of a ZIP code
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

/** How the ids of each type begin. */
const BEGINNINGS = /** @type {const} */ ([
  ['US2020XDMA', 'DMA'], ['US2020XMSA', 'CBSA'], ['US2020STCO', 'COUNTY'], ['US2020XXST', 'STATE'],
  ['US2020ZCTA', 'ZIP'],
]);

/** Types whose most populous areas are read to name a few of them; the rest are named without a call. */
const READ = /** @type {const} */ (['DMA', 'CBSA', 'STATE']);

/**
 * Reads the names of markets that have none yet: one counted call a type, which costs nothing.
 * @param {string[]} ids
 */
export async function nameMarkets(ids) {
  await Promise.all(unreadTypes(ids).map((type) => findMarkets(type)));
}

/**
 * Reads the names of the first market that has none yet, and of others of its type: one counted call,
 * whatever the markets are, which costs nothing.
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
 * Returns the types whose lists have not been read, and may name a market that has no name yet.
 * @param {string[]} ids
 */
export function unreadTypes(ids) {
  const types = new Set(ids.filter((id) => !knownMarkets.value.has(id)).map(typeOf));
  return READ.filter((type) => types.has(type) && !asked.has(`${type} `));
}

/**
 * Names a market: as an answer named it, or as its id tells.
 * @param {string} id
 */
export function marketName(id) {
  const known = knownMarkets.value.get(id);
  if (known) return known.geography_type === 'ZIP' ? `${known.name} ${id.slice(-5)}` : known.name;
  return typeOf(id) === 'ZIP' ? `ZIP code ${id.slice(-5)}` : id;
}

/**
 * Tells the type that an id is of, by its beginning; null where that is none of a known type.
 * @param {string} id such as `US2020XDMA501`
 * @returns {AreaType | null}
 */
function typeOf(id) {
  return BEGINNINGS.find(([beginning]) => id.startsWith(beginning))?.[1] ?? null;
}
