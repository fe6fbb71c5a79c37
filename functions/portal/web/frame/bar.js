// The bar above every page: navigation, limits, and the signed-in person.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { pageUrl } from '../addresses.js';
import { configuration } from '../configuration.js';
import { PAGES } from '../routes.js';
import { account, organization } from '../api/account.js';
import { isSignedIn } from '../session/session.js';
import { Meter } from './meter.js';
import { openPalette } from './palette.js';
import { PageLinks } from './page-links.js';
import { Person } from './person.js';
import { theme, toggleTheme } from '../ui/theme.js';

/** The groups of links in the bar. The account menu contains the pages of the organization. */
const GROUPS = [
  { group: 'home', name: 'Home' },
  { group: 'plan', name: 'Plan' },
  { group: 'insight', name: 'Insight' },
];

/** Shows the bar. In narrow windows, a menu button opens the links. */
export function Bar() {
  const { path } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(false), [path]);
  return html`
    <header class="bar">
      <a class="name" href=${pageUrl()}>Marquee</a>
      ${configuration.local && html`
        <span class="mark" title="A local service: its data is stored on this computer">local</span>`}
      <button class="menu" aria-expanded=${isOpen} aria-controls="pages" onClick=${() => setIsOpen(!isOpen)}>
        <span>Menu</span>
      </button>
      <nav id="pages" aria-label="Pages" class=${isOpen ? 'open' : ''}>
        ${links(path)}
      </nav>
      <div class="right">
        ${organization.value && html`<${Meter} />`}
        <button class="quiet search" onClick=${openPalette} aria-keyshortcuts="Control+K Meta+K">
          <span>Search</span> <kbd>⌘K</kbd>
        </button>
        <button class="quiet" onClick=${toggleTheme}
          aria-label=${`Switch to ${theme.value === 'dark' ? 'light' : 'dark'} mode`}>◐</button>
        <${Person} />
      </div>
    </header>`;
}

/**
 * Returns the links by group. People who aren't signed in or have no organization see only public pages.
 * @param {string} path
 */
function links(path) {
  const hasNone = account.value !== null && organization.value === null;
  if (!isSignedIn.value || hasNone) {
    return html`<${PageLinks} pages=${PAGES.filter(isLinkedForAll)} path=${path} />`;
  }
  return GROUPS.map(({ group, name }) => html`
    <div role="group" aria-label=${name} class="group">
      <${PageLinks} pages=${PAGES.filter((page) => page.group === group)} path=${path} />
    </div>`);
}

/** @param {import('../routes.js').Page} page */
function isLinkedForAll({ group, isPublic }) {
  return group !== undefined && isPublic;
}
