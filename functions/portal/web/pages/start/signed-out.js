// Where somebody is after they have signed out.

import { html } from 'htm/preact';
import { signIn, trouble } from '../../session/session.js';

/** Says that nothing is left, and lets them in again. */
export default function SignedOut() {
  return html`
    <section class="state">
      <h1>You are signed out</h1>
      ${trouble.value && html`<p class="error" role="alert">${trouble.value}</p>`}
      <p>Nothing of yours is left in this browser.</p>
      <button class="primary" onClick=${signIn}>Sign in</button>
    </section>`;
}
