// Which ZIP codes are looked up together: those with the same first three digits are one page of markets.

import { codeOf } from '../../map/boundaries.js';

/** Pages that are looked up at most, of the 10 calls that a Sandbox has a minute. */
const MOST = 4;

/**
 * Returns the beginnings of the ZIP codes that most visits come from, the most first.
 * @param {import('./report.js').Report['postal_code']} areas
 * @returns {string[]} three digits each
 */
export function prefixesOf(areas) {
  /** @type {Map<string, number>} */
  const visits = new Map();
  for (const { id, weekly_visits: weekly } of areas) {
    const prefix = codeOf(id).slice(0, 3);
    visits.set(prefix, (visits.get(prefix) ?? 0) + weekly);
  }
  return [...visits].sort(([, a], [, b]) => b - a).slice(0, MOST).map(([prefix]) => prefix);
}
