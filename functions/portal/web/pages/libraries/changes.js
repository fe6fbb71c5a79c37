// Compares the versions of an asset, and merges the changes made by two people.

/** @typedef {import('./parts.js').Part} Part */

/**
 * A part of an asset in three versions: `before` is the version when the form opened, `theirs` is the stored
 * version, and `mine` is the version in the form.
 * @typedef {{label: string, before: string[], theirs: string[], mine: string[]}} Difference
 */

/** The maximum number of lines to show for a part. */
const MOST = 8;

/**
 * Returns the parts that changed since the form opened, either in the stored version or in the form.
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
 * Describes a part. For a short part, returns all lines. For a long part, returns only the lines that were
 * added or removed.
 * @param {string[]} lines
 * @param {string[]} before
 * @returns {string[]}
 */
export function inWords(lines, before) {
  if (lines.length <= MOST) return lines.map((line) => line || '–');
  const [old, current] = [new Set(before), new Set(lines)];
  const added = lines.filter((line) => !old.has(line)).map((line) => `+ ${line}`);
  const removed = before.filter((line) => !current.has(line)).map((line) => `− ${line}`);
  const changed = [...added, ...removed];
  const more = changed.length - MOST;
  const sum = changed.length > 0 ? ` (${added.length} added, ${removed.length} removed)` : '';
  const rest = more > 0 ? [`and ${more} more changes`] : [];
  return [`${lines.length} in total${sum}`, ...changed.slice(0, MOST), ...rest];
}

/**
 * Applies a person's changes to the stored version. If the same member has also changed in the stored
 * version, the person's value takes precedence.
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
 * Returns the members that differ, with their new values. Removed members are null, which clears them.
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
