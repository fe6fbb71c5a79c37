// The bar above every page: navigation, limits, and the signed-in person.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { pageUrl } from '../addresses.js';
import { configuration } from '../configuration.js';
import { PAGES, pageAt } from '../routes.js';
import { account, managesKeys, organization } from '../api/account.js';
import { isSignedIn } from '../session/session.js';
import { Meter } from './meter.js';
import { openPalette } from './palette.js';
import { Person } from './person.js';
import { theme, toggleTheme } from '../ui/theme.js';

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

/** @param {string} path */
function links(path) {
  const open = pageAt(path)?.path.split('/')[0];
  const hasNone = account.value !== null && organization.value === null;
  const isForAll = !isSignedIn.value || hasNone;
  // Show an owner's links until the account is read. Most people are owners, so their bar doesn't change.
  const seeKeys = account.value === null || managesKeys.value;
  const isShown = (/** @type {import('../routes.js').Page} */ { isPublic, showsKeys }) =>
    (isForAll ? isPublic : seeKeys || !showsKeys);
  const shown = PAGES.filter((page) => page.isInBar && isShown(page));
  return shown.map((page) => html`
    <a href=${pageUrl(page.path)} aria-current=${page.path === open ? 'page' : undefined}>${page.title}</a>`);
}
