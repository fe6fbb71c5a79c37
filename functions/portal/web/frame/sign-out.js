// The way out, which asks first where something would be lost.

import { html } from 'htm/preact';
import { signal } from '@preact/signals';
import { signOut } from '../session/session.js';
import { Dialog } from '../ui/dialog.js';
import { hasUnsaved } from '../ui/unsaved.js';

const isAsking = signal(false);

/** Signs out, once the person has agreed to lose what is not saved. */
export function leavePortal() {
  if (hasUnsaved.value) isAsking.value = true;
  else void signOut();
}

/** Shows the question while it stands. */
export function SignOut() {
  if (!isAsking.value) return null;
  const stay = () => { isAsking.value = false; };
  const leave = () => {
    stay();
    void signOut();
  };
  return html`
    <${Dialog} title="Sign out without saving?" onClose=${stay}>
      <p>What you typed here is not saved, and is lost when you sign out.</p>
      <div class="actions">
        <button onClick=${stay} autofocus>Stay</button>
        <button class="danger" onClick=${leave}>Sign out, and lose it</button>
      </div>
    <//>`;
}
