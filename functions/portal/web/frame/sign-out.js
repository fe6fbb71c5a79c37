// Sign-out, with confirmation if changes would be lost.

import { html } from 'htm/preact';
import { signal } from '@preact/signals';
import { signOut } from '../session/session.js';
import { Dialog } from '../ui/dialog.js';
import { hasUnsaved } from '../ui/unsaved.js';

const isAsking = signal(false);

/** Signs out. If there are unsaved changes, asks for confirmation first. */
export function leavePortal() {
  if (hasUnsaved.value) isAsking.value = true;
  else void signOut();
}

/** Shows the confirmation dialog. */
export function SignOut() {
  if (!isAsking.value) return null;
  const stay = () => { isAsking.value = false; };
  const leave = () => {
    stay();
    void signOut();
  };
  return html`
    <${Dialog} title="Sign out without saving?" onClose=${stay}>
      <p>Your changes haven’t been saved and will be lost when you sign out.</p>
      <div class="actions">
        <button onClick=${stay} autofocus>Stay</button>
        <button class="danger" onClick=${leave}>Sign out</button>
      </div>
    <//>`;
}
