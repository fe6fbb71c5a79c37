// Finds the distinct features at a point or near the center of a map, and returns their names.

import { KINDS } from './features.js';
import { count } from '../ui/format.js';

/** @typedef {import('./features.js').Kind} Kind */

/**
 * A cluster, a display, or a place in the tiles.
 * @typedef {object} Found
 * @property {Kind} kind
 * @property {[number, number]} at longitude and latitude
 * @property {Record<string, any>} properties the tile feature's properties
 * @property {string} key unique among the features of a map
 */

/** The maximum distance from the pointer to a feature, in pixels. */
const REACH = 4;

/**
 * Returns the features at a point of the map, topmost first.
 * @param {import('maplibre-gl').Map} map
 * @param {{x: number, y: number}} point in pixels
 * @returns {Found[]}
 */
export function foundAt(map, { x, y }) {
  const layers = layersOn(map);
  if (layers.length === 0) return [];
  return distinct(map.queryRenderedFeatures([[x - REACH, y - REACH], [x + REACH, y + REACH]], { layers }));
}

/**
 * Returns the features around the center of the map, nearest first.
 * @param {import('maplibre-gl').Map} map
 * @param {number} most the maximum number of features to return
 * @returns {Found[]}
 */
export function foundNearCenter(map, most) {
  const layers = layersOn(map);
  if (layers.length === 0) return [];
  const center = map.project(map.getCenter());
  const away = (/** @type {Found} */ { at }) => map.project(at).dist(center);
  const found = distinct(map.queryRenderedFeatures({ layers }));
  const measured = found.map((one) => ({ one, far: away(one) })).sort((a, b) => a.far - b.far);
  return measured.slice(0, most).map(({ one }) => one);
}

/**
 * Returns a feature's name: the size of a cluster, or the name of a display or place.
 * @param {Found} found
 */
export function nameOf({ kind, properties }) {
  const { one, many } = KINDS[kind];
  if (properties.cluster) return count(properties.count, one, many);
  if (kind === 'places') return String(properties.name);
  return `${properties.media_type ?? 'Display'} ${properties.spot_id}`;
}

/**
 * Returns the IDs of the interactive layers. The metadata of these layers contains a kind.
 * @param {import('maplibre-gl').Map} map
 */
function layersOn(map) {
  return map.getLayersOrder().filter((id) => {
    const { kind } = /** @type {{kind?: Kind}} */ (map.getLayer(id)?.metadata ?? {});
    return kind !== undefined;
  });
}

/**
 * Removes duplicates. Because tiles overlap, a feature near an edge is in several tiles.
 * @param {import('maplibre-gl').MapGeoJSONFeature[]} features
 * @returns {Found[]}
 */
function distinct(features) {
  /** @type {Map<string, Found>} */
  const known = new Map();
  for (const { layer, geometry, properties } of features) {
    const { kind } = /** @type {{kind: Kind}} */ (layer.metadata);
    const { coordinates } = /** @type {import('geojson').Point} */ (geometry);
    const at = /** @type {[number, number]} */ (coordinates);
    const key = `${kind} ${properties.cluster ? at.join() : properties[KINDS[kind].id]}`;
    if (!known.has(key)) known.set(key, { kind, at, properties, key });
  }
  return [...known.values()];
}
