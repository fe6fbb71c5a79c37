// The frame around every page: the bar, the content, the footer, and the dialogs.

import { html } from 'htm/preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { BASE, pageUrl } from '../addresses.js';
import { PAGES, pageAt } from '../routes.js';
import { account, accountError, readAccount } from '../api/account.js';
import { isSignedIn, trouble } from '../session/session.js';
import { startPage } from '../api/limits.js';
import { Failure } from '../ui/failure.js';
import { Loading } from '../ui/loading.js';
import { NotFound } from '../ui/not-found.js';
import { Bar } from './bar.js';
import { Broken } from '../ui/outdated.js';
import { Palette } from './palette.js';
import { Footer } from './footer.js';
import { SignInAgain } from './sign-in-again.js';
import { SignOut } from './sign-out.js';
import { Trouble } from './trouble.js';
import { Waiting } from './waiting.js';

/** Shows the frame with the current page. */
export function Portal() {
  return html`
    <${LocationProvider} scope=${BASE}>
      <a class="skip" href="#content" onClick=${skip}>Skip to content</a>
      <${Bar} />
      <${Content} />
      <${Waiting} />
      <${Footer} />
      <${SignInAgain} />
      <${SignOut} />
      <${Palette} />
    <//>`;
}

/**
 * Moves the focus to the page's content. If the browser followed the link instead, the address would lose its
 * fragment, which may contain an invitation, and pages that load slowly would lose the focus.
 * @param {MouseEvent} event
 */
function skip(event) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Content() {
  const { path } = useLocation();
  const [broken, forget] = useErrorBoundary((error) => console.error(error));
  const page = pageAt(path);
  const isLater = useRef(false);
  useEffect(() => {
    document.title = page ? `${page.title} – Marquee` : 'Marquee';
    startPage();
    forget();
    // Move the focus, so that screen readers and the keyboard start at the top of the new page.
    if (isLater.current) document.getElementById('content')?.focus({ preventScroll: true });
    isLater.current = true;
  }, [path]);
  useEffect(() => {
    if (isSignedIn.value) readAccount();
  }, [isSignedIn.value]);
  return html`
    <main id="content" tabindex="-1">
      ${broken ? html`<${Broken} />` : html`<${Allowed} page=${page}><${Pages} /><//>`}
    </main>`;
}

/** @param {{page?: import('../routes.js').Page, children: any}} props */
function Allowed({ page, children }) {
  const { route } = useLocation();
  const hasNone = account.value !== null && account.value.organization === null;
  const isForMembers = page !== undefined && !page.isPublic && !page.needsNoOrganization;
  useEffect(() => {
    if (hasNone && isForMembers) route(pageUrl('start'), true);
  }, [hasNone, isForMembers]);
  if (page?.isPublic) return children;
  if (!isSignedIn.value) return html`<${Trouble} text=${trouble.value} />`;
  if (accountError.value && !account.value) {
    return html`
      <h1>Can’t load your account</h1>
      <${Failure} error=${accountError.value} retry=${readAccount} />`;
  }
  if (!account.value || (hasNone && isForMembers)) return html`<${Loading} what="your account" />`;
  return children;
}

function Pages() {
  return html`
    <${Router}>
      ${PAGES.map((page) => html`<${Route} path=${pageUrl(page.path)} component=${page.component} />`)}
      <${Route} default component=${NotFound} />
    <//>`;
}
