// What the tiles show at a point or around the middle of a map, each thing once, and what it is called.

import { KINDS } from './features.js';
import { count } from '../ui/format.js';

/** @typedef {import('./features.js').Kind} Kind */

/**
 * A cluster or a single display or place, as the tiles have it.
 * @typedef {object} Found
 * @property {Kind} kind
 * @property {[number, number]} at longitude and latitude
 * @property {Record<string, any>} properties those of the tile's feature
 * @property {string} key
 */

/** How far from the pointer a feature is still meant, in pixels. */
const REACH = 4;

/**
 * Returns what lies within reach of a point of the map, the topmost first.
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
 * Returns what lies nearest to the middle of the map.
 * @param {import('maplibre-gl').Map} map
 * @param {number} most how many at most
 * @returns {Found[]}
 */
export function foundNearMiddle(map, most) {
  const layers = layersOn(map);
  if (layers.length === 0) return [];
  const middle = map.project(map.getCenter());
  const away = (/** @type {Found} */ { at }) => map.project(at).dist(middle);
  const found = distinct(map.queryRenderedFeatures({ layers }));
  const measured = found.map((one) => ({ one, far: away(one) })).sort((a, b) => a.far - b.far);
  return measured.slice(0, most).map(({ one }) => one);
}

/**
 * Names a cluster by how many it stands for, and a single by what it is.
 * @param {Found} found
 */
export function nameOf({ kind, properties }) {
  const { one, many } = KINDS[kind];
  if (properties.cluster) return count(properties.count, one, many);
  if (kind === 'places') return String(properties.name);
  return `${properties.media_type ?? 'Display'} ${properties.spot_id}`;
}

/**
 * Layers whose metadata names a kind hold displays or places, each with the properties that tiles have.
 * @param {import('maplibre-gl').Map} map
 */
function layersOn(map) {
  return map.getLayersOrder().filter((id) => {
    const { kind } = /** @type {{kind?: Kind}} */ (map.getLayer(id)?.metadata ?? {});
    return kind !== undefined;
  });
}

/**
 * Tiles overlap, so that a feature at an edge is in several.
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
