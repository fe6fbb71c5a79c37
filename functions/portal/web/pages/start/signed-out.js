// Where somebody is after they have signed out.

import { html } from 'htm/preact';
import { configuration } from '../../configuration.js';
import { signIn, trouble } from '../../session/session.js';

/** Says that nothing is left, and lets them in again. */
export default function SignedOut() {
  return html`
    <section class="state">
      <h1>You are signed out</h1>
      ${trouble.value && html`<p class="error" role="alert">${trouble.value}</p>`}
      <p>${left()}</p>
      <button class="primary" onClick=${signIn}>Sign in</button>
    </section>`;
}

function left() {
  if (configuration.sign_out_url) return 'Nothing of yours is left in this browser.';
  return 'Nothing of yours is left in these pages. You may still be signed in where you signed in.';
}
