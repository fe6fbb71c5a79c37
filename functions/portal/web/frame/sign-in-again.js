// Asks somebody whose sign-in has ended to sign in again, beside the page, which stays as it is.

import { html } from 'htm/preact';
import { isAsking, signInAgain, stayOut, trouble } from '../session/session.js';
import { Dialog } from '../ui/dialog.js';

/** Shows the question while a call waits for it. */
export function SignInAgain() {
  if (!isAsking.value) return null;
  return html`
    <${Dialog} title="Sign in again" onClose=${stayOut}>
      <p>Your sign-in has ended. Sign in again in a small window; what you have typed stays here.</p>
      ${trouble.value && html`<p class="error" role="alert">${trouble.value}</p>`}
      <div class="actions">
        <button onClick=${stayOut}>Not now</button>
        <button class="primary" onClick=${signInAgain} autofocus>Sign in</button>
      </div>
    <//>`;
}
