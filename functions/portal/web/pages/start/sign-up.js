// The sign-up form with a description of the Sandbox tier, and the reasons for refusing sign-up.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { ERROR_COPY } from '../../api/error-copy.js';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { configuration } from '../../configuration.js';
import { account, left, readAccount, take } from '../../api/account.js';
import { signInAsAnother } from '../../session/session.js';
import { Details, Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';

/** @typedef {import('../../api/account.js').Account} Account */
/** @typedef {NonNullable<NonNullable<Account['sign_up']>['refusal']>} Refusal */

const LONGEST_NAME = 100;

/** Shows the sign-up form, or the reason why the person can't sign up. */
export function SignUp() {
  const { person, sign_up: offer } = /** @type {NonNullable<typeof account.value>} */ (account.value);
  return html`
    ${left.value && html`<p role="status">You’ve left ${left.value}.</p>`}
    <p>You’re signed in as <strong>${person.email ?? 'an account without an email address'}</strong>.</p>
    ${offer?.refusal ? html`<${Refused} refusal=${offer.refusal} />` : html`<${NewOrganization} />`}
    <p class="hint">Were you invited to an organization? Don’t create your own: you can belong to only one
      organization. Open your invitation link, or <a href=${pageUrl('invitation')}>paste it here</a>.</p>`;
}

function NewOrganization() {
  const [name, setName] = useState('');
  const form = useForm({ '/name': wrongName(name.trim()) }, async () => {
    const { body } = await call('sign_up', { body: { name: name.trim() } });
    take(body.data);
  });
  return html`
    <p>Sign-up is free and doesn’t require a card. You get a Sandbox organization with:</p>
    <ul>
      <li>2,000 credits, valid for 60 days. Most calls cost 1 credit.</li>
      <li>Access to all the data, with 10 calls a minute.</li>
      <li>Your own API keys, and invitations for your colleagues.</li>
    </ul>
    <form ref=${form.ref} onSubmit=${form.onSubmit} noValidate>
      <${Field} label="Organization name" hint="Visible to your colleagues, such as Example Coffee."
        error=${form.at('/name')}>
        <input autocomplete="organization" value=${name}
          onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
      <//>
      <${Failure} error=${form.error} />
      <button class="primary" disabled=${form.isBusy}>Sign up · ${costOf('sign_up')}</button>
    </form>`;
}

/** @type {Record<Refusal['code'], string>} */
const TITLES = {
  EMAIL_NOT_VERIFIED: 'Email address not verified',
  SIGN_UP_CLOSED: 'Self-service sign-up is off',
  SIGNED_UP_BEFORE: 'You’ve signed up before',
  SIGN_UPS_EXHAUSTED: 'Today’s sign-up limit has been reached',
};

/** @param {{refusal: Refusal}} props */
function Refused({ refusal: { code, message } }) {
  return html`
    <div class="failure" role="alert">
      <h3>${TITLES[code]}</h3>
      <p>${ERROR_COPY[code]}</p>
      ${code === 'EMAIL_NOT_VERIFIED' && html`<button onClick=${signInAsAnother}>Sign in again</button>`}
      ${code === 'SIGN_UPS_EXHAUSTED' && html`<button onClick=${readAccount}>Try again</button>`}
      ${code === 'SIGN_UP_CLOSED' && configuration.support_url && html`
        <p><a href=${configuration.support_url}>Request an organization</a></p>`}
      <${Details} code=${code} detail=${message} />
    </div>`;
}

/** @param {string} name */
function wrongName(name) {
  if (name === '') return 'Enter a name for your organization.';
  if (/\p{Cc}/u.test(name)) return 'Remove tabs and other control characters.';
  return [...name].length > LONGEST_NAME ? `Use at most ${LONGEST_NAME} characters.` : null;
}
