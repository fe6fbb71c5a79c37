// The palette's own commands: pages, documents, and global actions.

import { pageUrl } from '../addresses.js';
import { DOCUMENTS } from '../documents.js';
import { PAGES } from '../routes.js';
import { account, managesKeys, managesMembers, managesWebhooks, organization } from '../api/account.js';
import { isSignedIn, signIn } from '../session/session.js';
import { theme, toggleTheme } from '../ui/theme.js';
import { leavePortal } from './sign-out.js';

/** @typedef {import('../ui/commands.js').Command} Command */

/**
 * Returns commands for the pages, the documents, and the actions, in this order.
 * @returns {Command[]}
 */
export function ownCommands() {
  return [...pages(), ...documents(), ...actions()];
}

/** @returns {Command[]} */
function pages() {
  const hasOrganization = organization.value !== null;
  const shown = PAGES.filter(({ words, isPublic, needsNoOrganization }) =>
    words !== undefined && (isPublic || needsNoOrganization || hasOrganization));
  return shown.map(({ path, title: name, words }) => ({ name, hint: 'page', words, url: pageUrl(path) }));
}

/** @returns {Command[]} */
function documents() {
  const shown = DOCUMENTS.filter(({ words }) => words !== undefined);
  const open = (/** @type {string} */ name) =>
    void window.open(pageUrl(`docs/${name}`), '_blank', 'noopener');
  return shown.map(({ name, title, words }) => ({ name: title, hint: 'docs', words, run: () => open(name) }));
}

/** @returns {Command[]} */
function actions() {
  const other = theme.value === 'dark' ? 'light' : 'dark';
  const id = organization.value?.org_id;
  const copyId = () => void navigator.clipboard.writeText(id ?? '');
  const list = [
    managesKeys.value && { name: 'Create a key', words: 'new api key', url: pageUrl('keys#create') },
    managesWebhooks.value &&
      { name: 'Create a webhook', words: 'new notifications', url: pageUrl('webhooks#create') },
    managesMembers.value &&
      { name: 'Invite a colleague', words: 'invitation member', url: pageUrl('team#invite') },
    id && { name: 'Copy organization ID', words: id, run: copyId },
    account.value && !id && { name: 'Open an invitation', words: 'accept join', url: pageUrl('invitation') },
    { name: `Switch to ${other} mode`, words: 'theme colors light dark', run: toggleTheme },
    isSignedIn.value
      ? { name: 'Sign out', words: 'log out leave', run: leavePortal }
      : { name: 'Sign in', words: 'log in', run: () => void signIn() },
  ];
  return list.flatMap((action) => (action ? [{ hint: 'action', ...action }] : []));
}
