// Asks the person to sign in again in a separate window, so that the page keeps its state.

import { html } from 'htm/preact';
import { isAsking, signInAgain, stayOut, trouble } from '../session/session.js';
import { Dialog } from '../ui/dialog.js';

/** Shows the dialog while a call waits for the person to sign in again. */
export function SignInAgain() {
  if (!isAsking.value) return null;
  return html`
    <${Dialog} title="Sign in again" onClose=${stayOut}>
      <p>Your sign-in has ended. Sign in again in a small window. Your changes stay here.</p>
      ${trouble.value && html`<p class="error" role="alert">${trouble.value}</p>`}
      <div class="actions">
        <button onClick=${stayOut}>Not now</button>
        <button class="primary" onClick=${signInAgain} autofocus>Sign in</button>
      </div>
    <//>`;
}
