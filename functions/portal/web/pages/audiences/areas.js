// Converts a population response to areas, to totals for the map, and to CSV.

import { codeOf } from '../../map/boundaries.js';
import { csv, provenanceColumns } from '../../ui/csv.js';

/** @typedef {import('../../api/types').Answer<'read_population_at_home'>} Population */

/**
 * @typedef {object} Area
 * @property {string} id the geography ID
 * @property {string} code the code that identifies the area's shape on the map
 * @property {string} name
 * @property {number} persons the number of residents in the cohort
 * @property {number} all the total number of residents
 * @property {number} share the cohort's share of all residents, in percent
 * @property {number} index the share relative to the national share; 100 if the shares are equal
 */

/** The singular noun, plural noun, and title for each level of areas. */
export const LEVELS = {
  COUNTY: { one: 'county', many: 'counties', title: 'Counties' },
  DMA: { one: 'market', many: 'markets', title: 'Markets' },
  STATE: { one: 'state', many: 'states', title: 'States' },
};

/**
 * Converts the rows of a response to areas.
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
 * Returns the cohort's population in the areas on the map, in each area that isn't on the map, and outside
 * all areas.
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
 * Converts a response to CSV with the same columns as the API's CSV.
 * @param {Population} population
 */
export function csvOf({ results, meta }) {
  const columns = /** @type {const} */ (['geography_id', 'description', 'persons', 'all_persons',
    'composition_index', 'composition_percent', 'geo_type', 'customer_segment_name', 'vintage']);
  // The API always writes an index with one decimal place, even if that's 0.
  const rows = results.map((row) => ({ ...row, composition_index: row.composition_index.toFixed(1) }));
  const provenance = provenanceColumns(meta);
  return csv([
    [...columns, ...Object.keys(provenance)],
    ...rows.map((row) => [...columns.map((column) => row[column]), ...Object.values(provenance)]),
  ]);
}
