// The table of pages: address, title, module, and the number of counted calls that the page makes when it
// opens.

import lazyOf from 'preact-iso/lazy';
import { Outdated } from './ui/outdated.js';

/**
 * @typedef {object} Page
 * @property {string} path the path below `/portal`, as a pattern of preact-iso's router
 * @property {string} title
 * @property {boolean} [isPublic] whether people can read the page without signing in
 * @property {boolean} [needsNoOrganization] whether people without an organization can open the page
 * @property {Group} [group] the group of links that the page belongs to; pages without a group aren't linked
 * @property {'manage_keys' | 'manage_webhooks'} [permission] only people with this permission see the link to
 *   the page
 * @property {string} [words] search words; the palette lists only pages with search words
 * @property {number | ((place: Place) => number)} opensWith the number of counted calls that the page
 *   makes when it opens (see `isCounted`); a function if the number depends on the address
 * @property {boolean} [showsTiles] whether the page makes one more call the first time it opens, to create a
 *   tile grant
 * @property {import('preact').ComponentType<any>} component
 */

/** @typedef {'home' | 'plan' | 'insight' | 'organization'} Group */

/** @typedef {{path: string, query: Record<string, string>}} Place an address that preact-iso has parsed */

/** @type {Page[]} */
export const PAGES = [
  page('', 'Overview', 0, lazy(() => import('./pages/overview/overview.js')), {
    group: 'home', words: 'home credits left dashboard',
  }),
  page('planner', 'Planner', 1, lazy(() => import('./pages/planner/planner.js')), {
    group: 'plan', showsTiles: true, words: 'map displays billboards inventory new campaign',
  }),
  page('planner/:id', 'Planner', 3, lazy(() => import('./pages/planner/planner.js')), { showsTiles: true }),
  page('compare', 'Compare plans', compareOpensWith, lazy(() => import('./pages/planner/compare.js')), {
    words: 'difference drafts campaigns side by side',
  }),
  page('campaigns', 'Campaigns', 2, lazy(() => import('./pages/libraries/campaigns.js')), {
    group: 'plan', words: 'library assets',
  }),
  page('campaigns/:id', 'Campaign', 5, lazy(() => import('./pages/libraries/campaign.js'))),
  page('events', 'Events', 2, lazy(() => import('./pages/libraries/events.js')), {
    group: 'plan', words: 'library assets',
  }),
  page('events/:id', 'Event', 3, lazy(() => import('./pages/libraries/event.js'))),
  page('event-planner', 'Event planner', eventPlannerOpensWith,
    lazy(() => import('./pages/event-planner/event-planner.js')), { words: 'new event' }),
  page('audiences', 'Audiences', audiencesOpensWith, lazy(() => import('./pages/audiences/audiences.js')), {
    group: 'insight', words: 'cohorts population choropleth map',
  }),
  page('places', 'Places', 1, lazy(() => import('./pages/places/places.js')), {
    group: 'insight', words: 'stores shops visits report',
  }),
  page('places/:id', 'Place', placeOpensWith, lazy(() => import('./pages/places/place.js'))),
  page('keys', 'Keys', 0, lazy(() => import('./pages/keys/keys.js')), {
    group: 'organization', permission: 'manage_keys', words: 'api key create revoke token',
  }),
  page('webhooks', 'Webhooks', 0, lazy(() => import('./pages/webhooks/webhooks.js')), {
    group: 'organization', permission: 'manage_webhooks', words: 'notifications changes deliveries secret',
  }),
  page('usage', 'Usage', 0, lazy(() => import('./pages/usage/usage.js')), {
    group: 'organization', words: 'calls credits grants bills billing csv',
  }),
  page('team', 'Team', 0, lazy(() => import('./pages/team/team.js')), {
    group: 'organization', words: 'members people owners invitations roles',
  }),
  page('tiles', 'Tile grants', 2, lazy(() => import('./pages/tiles/tiles.js')), {
    group: 'organization', words: 'tilejson maps origins',
  }),
  page('docs', 'Docs', 0, lazy(() => import('./pages/docs/docs.js')), {
    isPublic: true, group: 'organization', words: 'help documentation guides',
  }),
  page('docs/reference', 'API reference', 0, lazy(() => import('./pages/docs/reference.js')), {
    isPublic: true, words: 'api openapi swagger operations',
  }),
  page('start', 'First steps', 0, lazy(() => import('./pages/start/start.js')), {
    needsNoOrganization: true, group: 'organization', words: 'sign up first key first call',
  }),
  page('invitation', 'Invitation', 0, lazy(() => import('./pages/start/invitation.js')), {
    needsNoOrganization: true,
  }),
  page('shared', 'Campaign', 0, lazy(() => import('./pages/shared/shared.js')), { isPublic: true }),
  page('signed-out', 'Signed out', 0, lazy(() => import('./pages/start/signed-out.js')), { isPublic: true }),
];

/**
 * Returns the page at an address; undefined if the address is unknown.
 * @param {string} path such as `/portal/campaigns/0190…`
 * @returns {Page | undefined}
 */
export function pageAt(path) {
  const parts = path.replace(/^\/portal\/?/, '').replace(/\/$/, '').split('/');
  return PAGES.find((page) => {
    const own = page.path.split('/');
    const fits = (/** @type {string} */ part, /** @type {number} */ n) =>
      part.startsWith(':') ? Boolean(parts[n]) : part === parts[n];
    return own.length === parts.length && own.every(fits);
  });
}

/**
 * Returns the number of counted calls that a page makes when it opens.
 * @param {Page} page
 * @param {Place} place
 */
export function opensWith({ opensWith: calls }, place) {
  return typeof calls === 'number' ? calls : calls(place);
}

/**
 * Returns the number of calls: 1 for the list of campaigns, and 1 for each saved campaign in the address.
 * @param {Place} place
 */
function compareOpensWith({ query }) {
  const sides = [query.plan ?? '', query.with ?? ''];
  return 1 + sides.filter((side) => side !== '' && !side.startsWith('draft ')).length;
}

/**
 * Returns the number of calls: 1 for the cohorts, and 1 for the population of each cohort in the address.
 * @param {Place} place
 */
function audiencesOpensWith({ query: { cohort, with: other } }) {
  return 1 + new Set([cohort, other].filter(Boolean)).size;
}

/**
 * Returns the number of calls: 1 for the place types, and 1 for a search if the address contains place IDs.
 * @param {Place} place
 */
function eventPlannerOpensWith({ query }) {
  return /(^|,)0*[1-9]/.test(query.places ?? '') ? 2 : 1;
}

/**
 * Returns the number of calls: 1 for the search that loads the names, and 1 for each place's report.
 * @param {Place} place
 */
function placeOpensWith({ path, query: { with: other } }) {
  return other && !path.endsWith(`/${other}`) ? 3 : 2;
}

/**
 * @param {string} path
 * @param {string} title
 * @param {Page['opensWith']} opensWith
 * @param {import('preact').ComponentType<any>} component
 * @param {Partial<Page>} [rest]
 * @returns {Page}
 */
function page(path, title, opensWith, component, rest = {}) {
  return { path, title, opensWith, component, ...rest };
}

/**
 * Loads a page's module on first use. If that fails, for example after a redeployment, `Outdated` replaces
 * the page.
 * @param {() => Promise<{default: import('preact').ComponentType<any>}>} load
 * @returns {import('preact').ComponentType<any>}
 */
function lazy(load) {
  return lazyOf(() => load().catch(() => ({ default: Outdated })));
}
