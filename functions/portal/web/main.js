// Starts the pages: finishes a sign-in that is under way, or begins one, and then shows the frame.

import { render } from 'preact';
import { html } from 'htm/preact';
import { followInvitation } from './frame/invitation-link.js';
import { Portal } from './frame/portal.js';
import { pageAt } from './routes.js';
import { start } from './session/session.js';

const root = /** @type {HTMLElement} */ (document.getElementById('portal'));

// A page that the browser kept when it was left would show again what somebody has signed out of.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

followInvitation();
if (await start(pageAt(location.pathname)?.isPublic ?? false)) render(html`<${Portal} />`, root);
