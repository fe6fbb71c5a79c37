// The shapes of choropleths: counties, markets, or states, projected onto one sheet.

import { fileUrl } from '../addresses.js';
import { boundaries, dissolved, shapes, stateLines } from './boundaries.js';
import { inset } from './inset.js';

/** @typedef {'COUNTY' | 'DMA' | 'STATE'} Level */

/**
 * @typedef {object} Sheet
 * @property {import('geojson').Feature[]} features their property `code` is a FIPS code
 *   (5 or 2 digits) or a market code (3 digits)
 * @property {import('geojson').Geometry} states the boundaries of states
 */

/** @type {Promise<import('./boundaries.js').Topology> | undefined} */
let topology;
/** @type {Map<Level, Promise<Sheet>>} */
const sheets = new Map();

/**
 * Returns the shapes of a level, from a cache after the first call.
 * @param {Level} level
 * @returns {Promise<Sheet>}
 */
export function sheet(level) {
  const known = sheets.get(level);
  if (known) return known;
  const made = makeSheet(level);
  made.catch(() => sheets.delete(level));
  sheets.set(level, made);
  return made;
}

/** @param {Level} level */
async function makeSheet(level) {
  topology ??= boundaries().then(inset);
  topology.catch(() => { topology = undefined; });
  const laid = await topology;
  const states = stateLines(laid);
  if (level === 'DMA') return { states, features: dissolved(laid, await marketOfCounties()) };
  return { states, features: shapes(laid, level === 'STATE' ? 'states' : 'counties') };
}

/** @returns {Promise<Map<string, string>>} market codes by county code */
async function marketOfCounties() {
  const answer = await fetch(fileUrl('map/county-markets.json'));
  if (!answer.ok) throw new Error(`The map’s markets couldn’t be loaded (status ${answer.status})`);
  const markets = /** @type {Record<string, string[]>} */ (await answer.json());
  const marketOf = new Map();
  for (const [market, counties] of Object.entries(markets)) {
    for (const county of counties) marketOf.set(county, market);
  }
  return marketOf;
}
