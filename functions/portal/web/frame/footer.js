// What the page has used: calls that count in the organization's minute, and credits.

import { html } from 'htm/preact';
import { useLocation } from 'preact-iso/router';
import { spent } from '../api/limits.js';
import { opensWith, pageAt } from '../routes.js';
import { isSignedIn } from '../session/session.js';
import { count } from '../ui/format.js';

/** Says how many counted calls the page opens with, and what it has used so far. */
export function Footer() {
  const { path, query } = useLocation();
  const page = pageAt(path);
  if (!page || !isSignedIn.value) return null;
  const { calls, credits } = spent.value;
  const first = count(opensWith(page, { path, query }), 'counted call');
  const more = page.showsTiles ? ', and 1 more the first time' : '';
  return html`
    <footer class="foot">
      This page opens with ${first}${more}.
      <span class="spent"> So far: ${count(calls, 'counted call')}, ${count(credits, 'credit')}.</span>
    </footer>`;
}
