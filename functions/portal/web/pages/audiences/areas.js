// What is known of each area, and how what is drawn adds up to the nation.

import { codeOf } from '../../map/areas.js';
import { csv } from '../../ui/csv.js';

/** @typedef {import('../../api/types').Answer<'read_population_at_home'>} Population */

/**
 * @typedef {object} Area
 * @property {string} id a geography id
 * @property {string} code by which its shape is found
 * @property {string} name
 * @property {number} persons of the cohort
 * @property {number} all everyone who lives there
 * @property {number} share of the cohort among them, in percent
 * @property {number} index that share against the nation's, which is 100
 */

/** What each level's areas are called. */
export const LEVELS = {
  COUNTY: { one: 'county', many: 'counties', title: 'Counties' },
  DMA: { one: 'market', many: 'markets', title: 'Markets' },
  STATE: { one: 'state', many: 'states', title: 'States' },
};

/**
 * Reads the areas of an answer.
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
 * Adds up what a map draws, and what it does not.
 * @param {Population} population
 * @param {Area[]} areas
 * @param {import('geojson').Feature[]} features what is drawn
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
 * Writes areas as CSV, with the columns that the interface's own file has for them.
 * @param {Population} population
 */
export function csvOf({ results }) {
  const columns = /** @type {const} */ (['geography_id', 'description', 'persons', 'all_persons',
    'composition_index', 'composition_percent', 'geo_type', 'customer_segment_name', 'vintage']);
  return csv([[...columns], ...results.map((row) => columns.map((column) => row[column]))]);
}
