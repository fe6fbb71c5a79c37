// The bar above every page: where to go, what is left, and who is signed in.

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

/** Shows the bar; on narrow windows its links lie behind a button. */
export function Bar() {
  const { path } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(false), [path]);
  return html`
    <header class="bar">
      <a class="name" href=${pageUrl()}>Marquee</a>
      ${configuration.local && html`
        <span class="mark" title="This process keeps its data on this machine">local</span>`}
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
          aria-label=${`Use ${theme.value === 'dark' ? 'light' : 'dark'} colours`}>◐</button>
        <${Person} />
      </div>
    </header>`;
}

/** @param {string} path */
function links(path) {
  const open = pageAt(path)?.path.split('/')[0];
  const hasNone = account.value !== null && organization.value === null;
  const isForAll = !isSignedIn.value || hasNone;
  // Until it is known who they are, the links are an owner's: most people are, and nothing moves for them.
  const seeKeys = account.value === null || managesKeys.value;
  const isShown = (/** @type {import('../routes.js').Page} */ { isPublic, showsKeys }) =>
    (isForAll ? isPublic : seeKeys || !showsKeys);
  const shown = PAGES.filter((page) => page.isInBar && isShown(page));
  return shown.map((page) => html`
    <a href=${pageUrl(page.path)} aria-current=${page.path === open ? 'page' : undefined}>${page.title}</a>`);
}
