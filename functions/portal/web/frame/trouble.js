// The page for people who aren't signed in.

import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { signIn } from '../session/session.js';
import { Loading } from '../ui/loading.js';

/**
 * Redirects to the sign-in page. If signing in has failed, shows the error and a button instead.
 * @param {{text: string | null}} props `text` is the error; null before the first attempt
 */
export function Trouble({ text }) {
  useEffect(() => {
    if (text === null) signIn();
  }, []);
  if (text === null) return html`<${Loading} what="the sign-in page" />`;
  return html`
    <section class="state" role="alert">
      <h1>You’re not signed in</h1>
      <p>${text}</p>
      <button class="primary" onClick=${signIn}>Sign in</button>
    </section>`;
}
