// What the palette always finds: the pages that this person has, and what can be done from anywhere.

import { pageUrl } from '../configuration.js';
import { PAGES } from '../routes.js';
import { account, isOwner, organization } from '../session/account.js';
import { isSignedIn, signIn } from '../session/session.js';
import { theme, toggleTheme } from '../ui/theme.js';
import { leavePortal } from './sign-out.js';

/** @typedef {import('./palette.js').Command} Command */

/** Pages that nobody goes to by name. */
const LEFT_OUT = ['signed-out', 'invitation'];

/**
 * Other words that people look for a page by.
 * @type {Record<string, string>}
 */
const WORDS = {
  '': 'home credits left dashboard',
  planner: 'map displays billboards inventory new campaign',
  campaigns: 'library assets',
  events: 'library assets',
  'event-planner': 'new event',
  audiences: 'cohorts population choropleth map',
  places: 'stores shops visits report',
  keys: 'api key mint revoke token',
  usage: 'calls credits grants bills billing csv',
  team: 'members people owners invitations roles',
  tiles: 'tilejson maps origins',
  docs: 'help documentation guides',
  'docs/reference': 'api openapi swagger operations',
  start: 'sign up first key first call',
};

/**
 * Returns the pages, and then the actions.
 * @returns {Command[]}
 */
export function ownCommands() {
  return [...pages(), ...documents(), ...actions()];
}

/** @returns {Command[]} */
function pages() {
  const hasOrganization = organization.value !== null;
  const shown = PAGES.filter(({ path, isPublic, needsNoOrganization }) =>
    !path.includes(':') && !LEFT_OUT.includes(path) && (isPublic || needsNoOrganization || hasOrganization));
  return shown.map(({ path, title: name }) =>
    ({ name, hint: 'page', words: WORDS[path], url: pageUrl(path) }));
}

/** @returns {Command[]} */
function documents() {
  return [
    { name: 'Errors', hint: 'docs', words: 'codes refused', url: pageUrl('docs/errors') },
    { name: 'Workflows', hint: 'docs', words: 'examples guides', url: pageUrl('docs/workflows') },
  ];
}

/** @returns {Command[]} */
function actions() {
  const other = theme.value === 'dark' ? 'light' : 'dark';
  const id = organization.value?.org_id;
  const copyId = () => void navigator.clipboard.writeText(id ?? '');
  const list = [
    isOwner.value && { name: 'Mint a key', words: 'new api key', url: pageUrl('keys#mint') },
    isOwner.value && { name: 'Invite a colleague', words: 'invitation member', url: pageUrl('team#invite') },
    id && { name: 'Copy the organization’s id', words: id, run: copyId },
    account.value && !id && { name: 'Open an invitation', words: 'accept join', url: pageUrl('invitation') },
    { name: `Use ${other} colours`, words: 'theme light dark switch', run: toggleTheme },
    isSignedIn.value
      ? { name: 'Sign out', words: 'log out leave', run: leavePortal }
      : { name: 'Sign in', words: 'log in', run: () => void signIn() },
  ];
  return list.flatMap((action) => (action ? [{ hint: 'action', ...action }] : []));
}
