// What the command palette finds besides pages and the portal's own actions: pages put it here.

import { signal } from '@preact/signals';

/**
 * @typedef {object} Command
 * @property {string} name what it is called, and mostly found by
 * @property {string} hint its kind, such as `campaign` or `action`
 * @property {string} [words] other words that find it, such as an id
 * @property {string} [url] the page that it leads to
 * @property {() => void} [run] what it does instead
 */

/** How many are remembered; older ones are forgotten first. */
const MOST = 200;

/** What pages have offered, the newest first. */
export const commands = signal(/** @type {Command[]} */ ([]));

/**
 * Lets the palette find assets that were loaded, or a page's own actions, until somebody signs out. What is
 * offered again under the same address, or without one under the same name, takes the place of the older.
 * @param {Command[]} found
 */
export function offer(found) {
  withdraw(found);
  commands.value = [...found, ...commands.value].slice(0, MOST);
}

/**
 * Takes back what a page offered, such as the actions of a page that is left.
 * @param {Command[]} found
 */
export function withdraw(found) {
  const names = new Set(found.map(identity));
  commands.value = commands.value.filter((other) => !names.has(identity(other)));
}

/** @param {Command} command */
function identity({ url, name }) {
  return url ?? name;
}
