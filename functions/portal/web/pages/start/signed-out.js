// The page after signing out.

import { html } from 'htm/preact';
import { configuration } from '../../configuration.js';
import { signIn, trouble } from '../../session/session.js';

/** Confirms the sign-out and offers to sign in. */
export default function SignedOut() {
  return html`
    <section class="state">
      <h1>You’re signed out</h1>
      ${trouble.value && html`<p class="error" role="alert">${trouble.value}</p>`}
      <p>${left()}</p>
      <button class="primary" onClick=${signIn}>Sign in</button>
    </section>`;
}

function left() {
  if (configuration.sign_out_url) return 'All your data was removed from this browser.';
  return 'Your data was removed from this portal. You may still be signed in at your sign-in provider.';
}
