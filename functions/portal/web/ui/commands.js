// Commands that pages add to the palette, such as loaded assets.

import { signal } from '@preact/signals';
import { whenOrganizationChanges } from '../api/account.js';

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {string} hint its kind, such as `campaign` or `action`
 * @property {string} [words] search words in addition to the name, such as an id
 * @property {string} [url] the page that it opens
 * @property {() => void} [run] the action, for commands without a page
 */

/** The commands of pages, listed after the palette's own. */
export const commands = signal(/** @type {Command[]} */ ([]));

whenOrganizationChanges(() => { commands.value = []; });
