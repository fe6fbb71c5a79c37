// What is different between versions of an asset, and how changes of two people come together.

/** @typedef {import('./parts.js').Part} Part */

/**
 * One part in three versions: as it was when the form was opened, as it is stored now, and as it was typed.
 * @typedef {{label: string, before: string[], theirs: string[], mine: string[]}} Difference
 */

/** The most lines of a list that are shown of a part. */
const MOST = 8;

/**
 * Returns the parts that anybody has changed.
 * @param {Part[]} before
 * @param {Part[]} theirs
 * @param {Part[]} mine
 * @returns {Difference[]}
 */
export function differences(before, theirs, mine) {
  const all = before.map(({ label, lines }, n) =>
    ({ label, before: lines, theirs: theirs[n].lines, mine: mine[n].lines }));
  return all.filter((part) => !isSame(part.before, part.theirs) || !isSame(part.before, part.mine));
}

/**
 * Says a part's version in a few lines: all of a short one, what came and went of a long list.
 * @param {string[]} lines
 * @param {string[]} before
 * @returns {string[]}
 */
export function inWords(lines, before) {
  if (lines.length <= MOST) return lines.map((line) => line || '–');
  const [had, has] = [new Set(before), new Set(lines)];
  const came = lines.filter((line) => !had.has(line)).map((line) => `+ ${line}`);
  const went = before.filter((line) => !has.has(line)).map((line) => `− ${line}`);
  const changed = [...came, ...went];
  const more = changed.length - MOST;
  const sum = changed.length > 0 ? ` (${came.length} added, ${went.length} removed)` : '';
  const rest = more > 0 ? [`and ${more} more changes`] : [];
  return [`${lines.length} in all${sum}`, ...changed.slice(0, MOST), ...rest];
}

/**
 * Puts what was typed onto a newer version: what somebody else changed is taken where it was not typed over.
 * @template T
 * @param {T} before
 * @param {T} theirs
 * @param {T} mine
 * @returns {T}
 */
export function onNewest(before, theirs, mine) {
  if (isSame(before, mine)) return theirs;
  if (!isPlain(before) || !isPlain(theirs) || !isPlain(mine)) return mine;
  const members = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  return /** @type {T} */ (Object.fromEntries([...members].map((name) => [
    name, onNewest(before[name], theirs[name], mine[name]),
  ])));
}

/**
 * Returns the members of a body that differ; null clears one that is there no more.
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 */
export function changedMembers(before, after) {
  const members = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...members].filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, any>}
 */
function isPlain(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
