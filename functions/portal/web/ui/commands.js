// The commands that pages add to the palette, such as the assets that they have loaded.

import { signal } from '@preact/signals';
import { whenOrganizationChanges } from '../api/account.js';

/**
 * @typedef {object} Command
 * @property {string} name what it is called, and mostly found by
 * @property {string} hint its kind, such as `campaign` or `action`
 * @property {string} [words] other words that find it, such as an id
 * @property {string} [url] the page that it leads to
 * @property {() => void} [run] what it does instead
 */

/** The commands of pages. The palette lists them after its own. */
export const commands = signal(/** @type {Command[]} */ ([]));

whenOrganizationChanges(() => { commands.value = []; });
