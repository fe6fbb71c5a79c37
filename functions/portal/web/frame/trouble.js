// What stands in the place of a page when nobody could be signed in.

import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { signIn } from '../session/session.js';
import { Loading } from '../ui/loading.js';

/**
 * Sends whoever is not signed in to sign in; says why that failed, and lets them try again.
 * @param {{text: string | null}} props `text` is why it failed; null when it was not tried
 */
export function Trouble({ text }) {
  useEffect(() => {
    if (text === null) signIn();
  }, []);
  if (text === null) return html`<${Loading} what="the sign-in page" />`;
  return html`
    <section class="state" role="alert">
      <h1>You are not signed in</h1>
      <p>${text}</p>
      <button class="primary" onClick=${signIn}>Sign in</button>
    </section>`;
}
