// The areas in a response, and sums for the map.

import { codeOf } from '../../map/boundaries.js';
import { csv } from '../../ui/csv.js';

/** @typedef {import('../../api/types').Answer<'read_population_at_home'>} Population */

/**
 * @typedef {object} Area
 * @property {string} id a geography id
 * @property {string} code the key of its shape
 * @property {string} name
 * @property {number} persons of the cohort
 * @property {number} all the resident population
 * @property {number} share the cohort's share of residents, in percent
 * @property {number} index that share relative to the nation's, which is 100
 */

/** The nouns of each level. */
export const LEVELS = {
  COUNTY: { one: 'county', many: 'counties', title: 'Counties' },
  DMA: { one: 'market', many: 'markets', title: 'Markets' },
  STATE: { one: 'state', many: 'states', title: 'States' },
};

/**
 * Returns the areas of a response.
 * @param {Population} population
 * @returns {Area[]}
 */
export function areasOf({ results }) {
  return results.map((row) => ({
    id: row.geography_id,
    code: codeOf(row.geography_id),
    name: row.description,
    persons: row.persons,
    all: row.all_persons,
    share: row.composition_percent,
    index: row.composition_index,
  }));
}

/**
 * Sums the cohort over the areas on the map and over all others.
 * @param {Population} population
 * @param {Area[]} areas
 * @param {import('geojson').Feature[]} features the map's shapes
 */
export function sumsOf(population, areas, features) {
  const codes = new Set(features.map(({ properties }) => properties?.code));
  const drawn = areas.filter(({ code }) => codes.has(code));
  const undrawn = areas.filter(({ code }) => !codes.has(code));
  const sum = (/** @type {Area[]} */ some) => some.reduce((total, { persons }) => total + persons, 0);
  const outside = population.persons - sum(areas);
  return { drawn: drawn.length, drawnPersons: sum(drawn), undrawn, outside, nation: population.persons };
}

/**
 * Returns the areas as CSV, with the columns of the API's CSV.
 * @param {Population} population
 */
export function csvOf({ results }) {
  const columns = /** @type {const} */ (['geography_id', 'description', 'persons', 'all_persons',
    'composition_index', 'composition_percent', 'geo_type', 'customer_segment_name', 'vintage']);
  return csv([[...columns], ...results.map((row) => columns.map((column) => row[column]))]);
}
