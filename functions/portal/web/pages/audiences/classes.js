// The classes of a choropleth map, with their colors and labels.

import { number, percent } from '../../ui/format.js';

/** @typedef {'share' | 'index'} Measure */
/** @typedef {import('./areas.js').Area} Area */

/**
 * A class with its range, color token, label, and number of areas.
 * @typedef {{from: number, to: number, token: string, words: string, areas: number}} Class `from` is
 *   inclusive, and `to` is exclusive
 */

/** The boundaries between the index classes. The nation's index is 100. */
const INDEX_BOUNDS = [80, 95, 105, 120];
const INDEX_TOKENS = ['--low-2', '--low-1', '--middle', '--high-1', '--high-2'];
const INDEX_WORDS = ['Under 80: far below average', '80 to 95: below average', '95 to 105: about average',
  '105 to 120: above average', '120 and over: far above average'];
const SHARE_TOKENS = ['--scale-1', '--scale-2', '--scale-3', '--scale-4', '--scale-5'];

/**
 * Returns the classes of areas: five ranges of the index, or quintiles of the share.
 * @param {Area[]} areas
 * @param {Measure} measure
 * @returns {Class[]} lowest first
 */
export function classesOf(areas, measure) {
  const values = areas.map((area) => area[measure]).sort((a, b) => a - b);
  const isIndex = measure === 'index';
  const bounds = isIndex ? INDEX_BOUNDS : fifths(values);
  const tokens = isIndex ? INDEX_TOKENS : SHARE_TOKENS.slice(SHARE_TOKENS.length - bounds.length - 1);
  const ends = [-Infinity, ...bounds, Infinity];
  return tokens.map((token, n) => {
    const [from, to] = [ends[n] ?? -Infinity, ends[n + 1] ?? Infinity];
    const own = values.filter((value) => value >= from && value < to);
    const words = isIndex ? (INDEX_WORDS[n] ?? '') : rangeOf(own);
    return { from, to, token, words, areas: own.length };
  });
}

/**
 * Returns the position of the class that contains a value.
 * @param {Class[]} classes
 * @param {number} value
 */
export function classOf(classes, value) {
  return classes.findIndex(({ from, to }) => value >= from && value < to);
}

/**
 * Returns the text below the legend that explains how the classes are formed.
 * @param {Measure} measure
 * @param {string} areas such as `counties`
 */
export function methodOf(measure, areas) {
  if (measure === 'index') return '100 is the national average. Teal areas are above it, brown areas below.';
  return `Each color covers a fifth of the ${areas}. Stronger colors mean larger shares.`;
}

/**
 * Formats a share (in percent) or an index.
 * @param {Measure} measure
 * @param {number} value
 */
export function written(measure, value) {
  return measure === 'index' ? number(Math.round(value)) : percent(value / 100, value < 1 ? 2 : 1);
}

/** @param {number[]} sorted */
function fifths(sorted) {
  const bounds = [1, 2, 3, 4].map((n) => sorted[Math.floor((sorted.length * n) / 5)] ?? 0);
  return [...new Set(bounds)].filter((bound) => bound > (sorted[0] ?? 0));
}

/** @param {number[]} own */
function rangeOf(own) {
  return `${written('share', own[0] ?? 0)} to ${written('share', own.at(-1) ?? 0)}`;
}
