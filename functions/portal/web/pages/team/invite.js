// The form that invites a colleague.

import { html } from 'htm/preact';
import { useRef, useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { ROLES, ROLE_NAMES } from '../../api/roles.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { useFragment } from '../../ui/use-fragment.js';

/** The API's rule for email addresses: one at sign and no spaces. */
const ADDRESS = /^[^@\s]+@[^@\s]+$/;
const LONGEST_ADDRESS = 254;

/** @typedef {import('../../api/roles.js').Role} Role */
/** @typedef {import('../../api/types').Answer<'invite_member'>['data']} NewInvitation */

/**
 * Shows a form with an email address and a role, and creates the invitation.
 * @param {{onInvited: (invitation: NewInvitation) => void}} props
 */
export function Invite({ onInvited }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useFragment('invite', () => field.current?.focus());
  const [email, setEmail] = useState('');
  const [role, setRole] = useState(/** @type {Role} */ ('member'));
  const form = useForm({ '/email': wrongAddress(email.trim()), '/role': null }, async () => {
    const { body } = await call('invite_member', { body: { email: email.trim(), role } });
    setEmail('');
    form.restart();
    onInvited(body.data);
  });
  return html`
    <form ref=${form.ref} onSubmit=${form.onSubmit} noValidate>
      <div class="form-row">
        <div class="grow">
          <${Field} label="Email address" error=${form.at('/email')}
            hint="Your colleague signs in with this address. A new invitation replaces an earlier one.">
            <input ref=${field} type="email" autocomplete="off" value=${email}
              onInput=${(/** @type {any} */ event) => setEmail(event.target.value)} />
          <//>
        </div>
        <${Field} label="Role" error=${form.at('/role')}>
          <select value=${role} onChange=${(/** @type {any} */ event) => setRole(event.target.value)}>
            ${[...ROLE_NAMES].reverse().map((name) => html`
              <option value=${name}>${ROLES[name].name}</option>`)}
          </select>
        <//>
        <button class="primary send" disabled=${form.isBusy}>Invite · ${costOf('invite_member')}</button>
      </div>
      <${Failure} error=${form.error} />
    </form>`;
}

/** @param {string} email */
function wrongAddress(email) {
  if (email === '') return 'Enter an email address.';
  if (email.length > LONGEST_ADDRESS) return `Use at most ${LONGEST_ADDRESS} characters.`;
  return ADDRESS.test(email) ? null : 'Enter an email address such as planner@example.com.';
}
