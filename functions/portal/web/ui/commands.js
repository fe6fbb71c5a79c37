// Commands that pages add to the palette, such as loaded assets.

import { signal } from '@preact/signals';
import { whenOrganizationChanges } from '../api/account.js';

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {string} hint the kind of command, such as `campaign` or `action`
 * @property {string} [words] search words in addition to the name, such as an ID
 * @property {string} [url] the address of the page that the command opens
 * @property {() => void} [run] the action, for commands without a page
 */

/** The commands that pages have added. The palette lists them after its own commands. */
export const commands = signal(/** @type {Command[]} */ ([]));

whenOrganizationChanges(() => { commands.value = []; });
