// Every page: its address, its name, its module, and the counted calls that it opens with.

import lazyOf from 'preact-iso/lazy';
import { Outdated } from './frame/outdated.js';

/**
 * @typedef {object} Page
 * @property {string} path below `/portal`, as preact-iso's router matches it
 * @property {string} title
 * @property {boolean} [isPublic] whether it can be read without signing in
 * @property {boolean} [needsNoOrganization] whether it is for people who have no organization yet, too
 * @property {boolean} [isInBar] whether the frame's bar leads there
 * @property {number | ((place: Place) => number)} opensWith counted calls, of the organization's minute, that
 *   it makes when it opens; a function where the address tells
 * @property {boolean} [showsTiles] whether it makes one more the first time: it mints the grant of its tiles
 * @property {import('preact').ComponentType<any>} component
 */

/** @typedef {{path: string, query: Record<string, string>}} Place an address, as preact-iso takes it apart */

/** @type {Page[]} */
export const PAGES = [
  page('', 'Overview', 0, lazy(() => import('./pages/overview/overview.js')), { isInBar: true }),
  page('planner', 'Planner', 1, lazy(() => import('./pages/planner/planner.js')), {
    isInBar: true, showsTiles: true,
  }),
  page('campaigns', 'Campaigns', 2, lazy(() => import('./pages/libraries/campaigns.js')), { isInBar: true }),
  page('campaigns/:id', 'Campaign', 3, lazy(() => import('./pages/libraries/campaign.js'))),
  page('events', 'Events', 2, lazy(() => import('./pages/libraries/events.js')), { isInBar: true }),
  page('events/:id', 'Event', 3, lazy(() => import('./pages/libraries/event.js'))),
  page('event-planner', 'Event planner', eventPlannerOpensWith,
    lazy(() => import('./pages/event-planner/event-planner.js'))),
  page('audiences', 'Audiences', 1, lazy(() => import('./pages/audiences/audiences.js')), { isInBar: true }),
  page('places', 'Places', 1, lazy(() => import('./pages/places/places.js')), { isInBar: true }),
  page('places/:id', 'Place', placeOpensWith, lazy(() => import('./pages/places/place.js'))),
  page('keys', 'Keys', 0, lazy(() => import('./pages/keys/keys.js')), { isInBar: true }),
  page('usage', 'Usage', 0, lazy(() => import('./pages/usage/usage.js')), { isInBar: true }),
  page('team', 'Team', 0, lazy(() => import('./pages/team/team.js')), { isInBar: true }),
  page('tiles', 'Tile grants', 2, lazy(() => import('./pages/tiles/tiles.js'))),
  page('docs', 'Docs', 0, lazy(() => import('./pages/docs/docs.js')), { isPublic: true, isInBar: true }),
  page('docs/reference', 'Reference', 0, lazy(() => import('./pages/docs/reference.js')), { isPublic: true }),
  page('docs/:name', 'Docs', 0, lazy(() => import('./pages/docs/document.js')), { isPublic: true }),
  page('start', 'Start', 0, lazy(() => import('./pages/start/start.js')), { needsNoOrganization: true }),
  page('invitation', 'Invitation', 0, lazy(() => import('./pages/start/invitation.js')), {
    needsNoOrganization: true,
  }),
  page('signed-out', 'Signed out', 0, lazy(() => import('./pages/start/signed-out.js')), { isPublic: true }),
];

/** Where the issuer sends people back to; no page stays there. */
export const SIGNED_IN = 'signed-in';

/**
 * Finds the page of an address.
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
 * Tells how many counted calls a page makes when it opens at an address.
 * @param {Page} page
 * @param {Place} place
 */
export function opensWith({ opensWith: calls }, place) {
  return typeof calls === 'number' ? calls : calls(place);
}

/**
 * The types of places, and a search for those that the address brings along.
 * @param {Place} place
 */
function eventPlannerOpensWith({ query }) {
  return /(^|,)0*[1-9]/.test(query.places ?? '') ? 2 : 1;
}

/**
 * One search for all names, and a report of each place.
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
 * Loads a page's module when the page is first shown. One that is not there is of an earlier edition of the
 * pages: the service was deployed anew since the shell was loaded.
 * @param {() => Promise<{default: import('preact').ComponentType<any>}>} load
 * @returns {import('preact').ComponentType<any>}
 */
function lazy(load) {
  return lazyOf(() => load().catch(() => ({ default: Outdated })));
}
