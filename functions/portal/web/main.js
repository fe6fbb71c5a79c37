// Starts the portal: completes or starts a sign-in, then renders the frame.

import { render } from 'preact';
import { html } from 'htm/preact';
import { followInvitation } from './frame/invitation-link.js';
import { Portal } from './frame/portal.js';
import { pageAt } from './routes.js';
import { start } from './session/session.js';

const root = /** @type {HTMLElement} */ (document.getElementById('portal'));

// Without a reload, a page from the back/forward cache would show its content even after sign-out.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

followInvitation();
if (await start(pageAt(location.pathname)?.isPublic ?? false)) render(html`<${Portal} />`, root);
