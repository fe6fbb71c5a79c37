// The footer: the number of calls and credits that the current page uses.

import { html } from 'htm/preact';
import { useLocation } from 'preact-iso/router';
import { spent } from '../api/limits.js';
import { opensWith, pageAt } from '../routes.js';
import { isSignedIn } from '../session/session.js';
import { count } from '../ui/format.js';

/** Shows how many calls the page makes when it opens, and the calls and credits used so far. */
export function Footer() {
  const { path, query } = useLocation();
  const page = pageAt(path);
  if (!page || !isSignedIn.value) return null;
  const { calls, credits } = spent.value;
  const first = count(opensWith(page, { path, query }), 'call');
  const more = page.showsTiles ? ', plus 1 the first time' : '';
  return html`
    <footer class="foot">
      Opening this page uses ${first}${more}.
      <span class="spent"> Used so far: ${count(calls, 'call')}, ${count(credits, 'credit')}.</span>
    </footer>`;
}
