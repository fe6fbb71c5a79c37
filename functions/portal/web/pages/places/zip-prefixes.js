// Groups ZIP codes by their first three digits. All ZIP codes with the same prefix fit on one page of
// markets.

import { codeOf } from '../../map/boundaries.js';

/** The maximum number of prefixes to look up. A Sandbox organization can make only 10 calls per minute. */
const MOST = 4;

/**
 * Returns the prefixes of the ZIP codes with the most visits, highest first.
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
