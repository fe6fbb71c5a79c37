// What stands in the place of a page when nobody could be signed in.

import { html } from 'htm/preact';
import { signIn } from '../session/session.js';

/**
 * Says why nobody is signed in, and lets them try again.
 * @param {{text: string | null}} props
 */
export function Trouble({ text }) {
  return html`
    <section class="state" role="alert">
      <h1>You are not signed in</h1>
      <p>${text ?? 'Sign in to see your organization.'}</p>
      <button class="primary" onClick=${signIn}>Sign in</button>
    </section>`;
}
