// The few classes that a map's colours stand for, and what they are called.

import { number, percent } from '../../ui/format.js';

/** @typedef {'share' | 'index'} Measure */
/** @typedef {import('./areas.js').Area} Area */

/**
 * A class: what lies in it, in words, and its colour.
 * @typedef {{from: number, to: number, token: string, words: string, areas: number}} Class `from` is in it,
 *   `to` is not
 */

/** The bounds of classes by index: 100 is the nation. */
const INDEX_BOUNDS = [80, 95, 105, 120];
const INDEX_TOKENS = ['--low-2', '--low-1', '--middle', '--high-1', '--high-2'];
const INDEX_WORDS = ['under 80: far fewer', '80 to 95: fewer', "95 to 105: about the nation's",
  '105 to 120: more', '120 and above: far more'];
const SHARE_TOKENS = ['--scale-1', '--scale-2', '--scale-3', '--scale-4', '--scale-5'];

/**
 * Sorts areas into classes: by index into five around the nation's, by share into fifths.
 * @param {Area[]} areas
 * @param {Measure} measure
 * @returns {Class[]} from the lowest up
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
 * Tells the class of a value.
 * @param {Class[]} classes
 * @param {number} value
 */
export function classOf(classes, value) {
  return classes.findIndex(({ from, to }) => value >= from && value < to);
}

/**
 * Says how the classes are made, for who reads the legend or hears it.
 * @param {Measure} measure
 * @param {string} areas such as `counties`
 */
export function methodOf(measure, areas) {
  if (measure === 'index') return "100 is the nation's share: teal has more of the cohort, brown fewer.";
  return `Each colour holds a fifth of the ${areas}: the stronger, the larger the share.`;
}

/**
 * Writes a value.
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
