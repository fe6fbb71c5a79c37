// Vector tiles for the portal's own maps: one grant per product and origin, shared by all who work here.

import { call } from '../api/client.js';
import { whenOrganizationChanges } from '../api/account.js';
import { DAY } from '../ui/days.js';
import { colors } from './colors.js';
import { layersOf, placeCounts } from './features.js';

const LABEL = 'portal';
/** How long a grant that the portal mints lives, in days. */
const DAYS = 30;
/** A grant that ends sooner than this is not used any more, in milliseconds. */
const SOON = DAY;
/** A token that is refused is replaced at most this often, in milliseconds. */
const RENEWAL = 60_000;

/** @typedef {import('./features.js').Kind} Kind */
/** @typedef {{message: string, status?: number}} Failed a tile's request, with the status of its answer */
/** @typedef {import('../api/types').Answer<'read_tilejson'>} TileJson */

/** @type {Map<Kind, Promise<string>>} */
const grants = new Map();
/** @type {Map<Kind, Promise<TileJson>>} */
const documents = new Map();
/** When a kind's TileJSON was last read because a tile was refused. */
/** @type {Map<Kind, number>} */
const renewed = new Map();

whenOrganizationChanges(() => {
  grants.clear();
  documents.clear();
});

/**
 * Tells whether the maps of these pages show tiles by a grant.
 * @param {{label: string | null, allowed_origins: string[]}} grant
 */
export function isPortals({ label, allowed_origins: origins }) {
  return label === LABEL && origins.includes(location.origin);
}

/**
 * Returns the TileJSON of a kind: of the portal's own grant, which is minted when there is none.
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
 * Adds a kind's tiles to a map whose style has been loaded: a source with the kind's name, and its layers.
 * @param {import('maplibre-gl').Map} map
 * @param {Kind} kind
 * @param {import('./colors.js').Colors} colors
 * @param {{before?: string, isWanted?: () => boolean}} [options] the layer that they go below; whether they
 *   are still wanted once they have come
 * @returns {Promise<void>} fails as the calls do
 */
export async function addTiles(map, kind, colors, { before, isWanted = () => true } = {}) {
  const style = map.style;
  const { tiles, minzoom, maxzoom, bounds, attribution } = await tileJson(kind);
  // The page may have gone meanwhile, or the colours have changed, which draws everything anew.
  if (map.style !== style || !isWanted() || map.getSource(kind)) return;
  const box = /** @type {[number, number, number, number]} */ (bounds);
  map.addSource(kind, { type: 'vector', tiles, minzoom, maxzoom, bounds: box, attribution });
  const below = before && map.getLayer(before) ? before : undefined;
  // Singles of one kind would hide the clusters of the other: all of them lie below.
  const clusters = ['displays-clusters', 'places-clusters'].find((id) => map.getLayer(id));
  for (const layer of layersOf(kind, colors)) {
    map.addLayer(layer, layer.id.endsWith('-singles') ? clusters ?? below : below);
  }
  placeCounts(map);
}

/**
 * Takes a kind's tiles off a map, if they are on it.
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
 * Renews tokens of tiles that are refused, and asks again for tiles that did not come once the network is
 * back, for as long as the map is there.
 * @param {import('maplibre-gl').Map} map
 * @param {(text: string | null) => void} say what is wrong with the tiles, in words; null when they are well
 * @param {() => void} [onAdded] what is to be done when their layers are new
 * @returns {{again: () => void, leave: () => void}} `again` asks for the tiles that are missing; `leave` ends
 *   the watch
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
      await addAnew(map, kind).then(onAdded, (refused) => lack(kind, noMore(kind, refused)));
    }
  };
  map.on('error', async (event) => {
    const { error, sourceId } = /** @type {{error: Failed, sourceId?: string}} */ (event);
    const kind = /** @type {Kind | undefined} */ (['displays', 'places'].find((name) => name === sourceId));
    if (!kind) return;
    const { status } = error;
    if (status !== 401 && status !== 410) return lack(kind, reason(kind, status));
    // One refusal renews for all: the others are of tiles that are asked for again with it.
    if (Date.now() - (renewed.get(kind) ?? -RENEWAL) < RENEWAL) return;
    renewed.set(kind, Date.now());
    try {
      await readAnew(kind, status);
      if (!map.getSource(kind)) return;
      await addAnew(map, kind);
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
 * Has all tiles of a kind loaded again: the library never does so with one that did not come, not even from
 * another address.
 * @param {import('maplibre-gl').Map} map
 * @param {Kind} kind that is on it
 */
async function addAnew(map, kind) {
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
  return `The map shows no more ${kind}: ${refused.message}`;
}

/**
 * @param {Kind} kind
 * @param {number} status of the tile that was refused: 401 for a token that has ended, 410 for a grant
 */
async function readAnew(kind, status) {
  documents.delete(kind);
  if (status === 410) grants.delete(kind);
  return tileJson(kind);
}

/**
 * @param {Kind} kind
 * @param {number | undefined} status
 */
function reason(kind, status) {
  const why = status ? `the service answered ${status}` : 'the service does not answer';
  return `Some ${kind} are missing on the map: ${why}.`;
}

/**
 * Makes something once for each kind, and again after it has failed.
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
  const minted = await call('mint_tile_grant', {
    path: { product },
    body: { label: LABEL, allowed_origins: [location.origin], expires_in_days: DAYS },
  });
  return minted.body.data.grant_id;
}
