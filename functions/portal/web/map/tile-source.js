// Vector tiles for the portal's own maps. They require a grant for each organization, product, and origin.

import { call } from '../api/client.js';
import { whenOrganizationChanges } from '../api/account.js';
import { DAY } from '../ui/days.js';
import { fontOf } from './base-map.js';
import { colors } from './colors.js';
import { layersOf, placeCounts } from './features.js';

const LABEL = 'portal';
/** The lifetime of the portal's grants, in days. */
const DAYS = 30;
/** The minimum remaining lifetime of a grant for the maps to use it, in milliseconds. */
const SOON = DAY;
/** The minimum time between two renewals of a kind's token, in milliseconds. */
const RENEWAL = 60_000;

/** @typedef {import('./features.js').Kind} Kind */
/** @typedef {{message: string, status?: number}} Failed a failed tile request */
/** @typedef {import('../api/types').Answer<'read_tilejson'>} TileJson */

/** @type {Map<Kind, Promise<string>>} */
const grants = new Map();
/** @type {Map<Kind, Promise<TileJson>>} */
const documents = new Map();
/** When a kind's TileJSON was last renewed after a rejected tile, in epoch milliseconds. */
/** @type {Map<Kind, number>} */
const renewed = new Map();

whenOrganizationChanges(() => {
  grants.clear();
  documents.clear();
});

/**
 * Returns whether a grant is for the portal's own maps.
 * @param {{label: string | null, allowed_origins: string[]}} grant
 */
export function isPortals({ label, allowed_origins: origins }) {
  return label === LABEL && origins.includes(location.origin);
}

/**
 * Returns a kind's TileJSON, using the portal's own grant. Creates the grant if it doesn't exist.
 * @param {Kind} kind
 * @returns {Promise<TileJson>}
 */
function tileJson(kind) {
  return remembered(documents, kind, async () => {
    const grant_id = await remembered(grants, kind, () => grantId(kind));
    return (await call('read_tilejson', { path: { product: kind, grant_id } })).body;
  });
}

/**
 * Adds a kind's source and layers to a map whose style has loaded.
 * @param {import('maplibre-gl').Map} map
 * @param {Kind} kind
 * @param {import('./colors.js').Colors} colors
 * @param {{before?: string, isWanted?: () => boolean}} [options] `before` is the layer above the new layers;
 *   `isWanted` returns whether they're still needed after the TileJSON has loaded
 * @returns {Promise<void>} rejects with the same errors as `call`
 */
export async function addTiles(map, kind, colors, { before, isWanted = () => true } = {}) {
  const style = map.style;
  const { tiles, minzoom, maxzoom, bounds, attribution } = await tileJson(kind);
  // In the meantime, the page may have closed, or a theme change may have redrawn the map.
  if (map.style !== style || !isWanted() || map.getSource(kind)) return;
  const box = /** @type {[number, number, number, number]} */ (bounds);
  map.addSource(kind, { type: 'vector', tiles, minzoom, maxzoom, bounds: box, attribution });
  const below = before && map.getLayer(before) ? before : undefined;
  // Add single features below all clusters, so that they don't hide the clusters of the other kind.
  const clusters = ['displays-clusters', 'places-clusters'].find((id) => map.getLayer(id));
  for (const layer of layersOf(kind, colors, fontOf(map))) {
    map.addLayer(layer, layer.id.endsWith('-singles') ? clusters ?? below : below);
  }
  placeCounts(map);
}

/**
 * Removes a kind's tiles from a map.
 * @param {import('maplibre-gl').Map} map
 * @param {Kind} kind
 */
export function removeTiles(map, kind) {
  if (!map.getSource(kind)) return;
  for (const part of ['singles', 'clusters', 'counts']) map.removeLayer(`${kind}-${part}`);
  map.removeSource(kind);
  placeCounts(map);
}

/**
 * Renews tile tokens after rejected tiles, and reloads missing tiles when the browser is online again.
 * @param {import('maplibre-gl').Map} map
 * @param {(text: string | null) => void} say called with an error, and with null once the error is resolved
 * @param {() => void} [onAdded] called after layers have been added again
 * @returns {{again: () => void, leave: () => void}} `again` reloads missing tiles; `leave` removes the
 *   listener for `online` events
 */
export function watchTiles(map, say, onAdded = () => {}) {
  /** @type {Set<Kind>} */
  const missing = new Set();
  const lack = (/** @type {Kind} */ kind, /** @type {string} */ text) => {
    missing.add(kind);
    say(text);
  };
  const again = async () => {
    const kinds = [...missing].filter((kind) => map.getSource(kind));
    missing.clear();
    say(null);
    for (const kind of kinds) {
      await reload(map, kind).then(onAdded, (refused) => lack(kind, noMore(kind, refused)));
    }
  };
  map.on('error', async (event) => {
    const { error, sourceId } = /** @type {{error: Failed, sourceId?: string}} */ (event);
    const kind = /** @type {Kind | undefined} */ (['displays', 'places'].find((name) => name === sourceId));
    if (!kind) return;
    const { status } = error;
    if (status !== 401 && status !== 410) return lack(kind, reason(kind, status));
    // One renewal covers all rejected tiles of the kind.
    if (Date.now() - (renewed.get(kind) ?? -RENEWAL) < RENEWAL) return;
    renewed.set(kind, Date.now());
    try {
      await fetchAgain(kind, status);
      if (!map.getSource(kind)) return;
      await reload(map, kind);
      onAdded();
      missing.delete(kind);
      say(null);
    } catch (refused) {
      lack(kind, noMore(kind, /** @type {Error} */ (refused)));
    }
  });
  addEventListener('online', again);
  return { again, leave: () => removeEventListener('online', again) };
}

/**
 * Reloads all tiles of a kind. The map library never retries a failed tile, even if its URL changes.
 * @param {import('maplibre-gl').Map} map
 * @param {Kind} kind
 */
async function reload(map, kind) {
  const order = map.getLayersOrder();
  const before = order[order.indexOf(`${kind}-counts`) + 1];
  await tileJson(kind);
  removeTiles(map, kind);
  await addTiles(map, kind, colors(), { before });
}

/**
 * @param {Kind} kind
 * @param {Error} refused
 */
function noMore(kind, refused) {
  return `The map can’t load more ${kind}. ${refused.message}`;
}

/**
 * @param {Kind} kind
 * @param {number} status of the rejected tile: 401 for an expired token, 410 for an ended grant
 */
async function fetchAgain(kind, status) {
  documents.delete(kind);
  if (status === 410) grants.delete(kind);
  return tileJson(kind);
}

/**
 * @param {Kind} kind
 * @param {number | undefined} status
 */
function reason(kind, status) {
  const why = status ? `status ${status}` : 'no response';
  return `Some ${kind} are missing from the map (${why}).`;
}

/**
 * Returns the cached promise of a kind, or makes a new one. Rejected promises aren't cached.
 * @template T
 * @param {Map<Kind, Promise<T>>} made
 * @param {Kind} kind
 * @param {() => Promise<T>} make
 * @returns {Promise<T>}
 */
function remembered(made, kind, make) {
  const known = made.get(kind);
  if (known) return known;
  const making = make();
  making.catch(() => made.delete(kind));
  made.set(kind, making);
  return making;
}

/**
 * @param {Kind} product
 * @returns {Promise<string>}
 */
async function grantId(product) {
  const { body } = await call('list_tile_grants', { path: { product }, query: { limit: 100 } });
  const own = body.data.find((grant) =>
    isPortals(grant) && !grant.revoked_at && Date.parse(grant.expires_at) > Date.now() + SOON);
  if (own) return own.grant_id;
  const created = await call('create_tile_grant', {
    path: { product },
    body: { label: LABEL, allowed_origins: [location.origin], expires_in_days: DAYS },
  });
  return created.body.data.grant_id;
}
