// Signing up: what it gives, and why it may be refused.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { configuration } from '../../configuration.js';
import { account, left, readAccount, take } from '../../api/account.js';
import { signInAsAnother } from '../../session/session.js';
import { Failure, Reference } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { sentence } from '../../ui/format.js';

/** @typedef {import('../../api/account.js').Account} Account */
/** @typedef {NonNullable<NonNullable<Account['sign_up']>['refusal']>} Refusal */

const LONGEST_NAME = 100;

/** Signs somebody up, or says why they cannot. */
export function SignUp() {
  const { person, sign_up: offer } = /** @type {NonNullable<typeof account.value>} */ (account.value);
  return html`
    ${left.value && html`<p role="status">You have left ${left.value}.</p>`}
    <p>You are signed in as <strong>${person.email ?? 'somebody without an address'}</strong>.</p>
    ${offer?.refusal ? html`<${Refused} refusal=${offer.refusal} />` : html`<${NewOrganization} />`}
    <p class="hint">Were you invited? Then do not make an organization of your own: a person belongs to one.
      Open the link that you were handed, or <a href=${pageUrl('invitation')}>paste it here</a>.</p>`;
}

function NewOrganization() {
  const [name, setName] = useState('');
  const form = useForm({ '/name': wrongName(name.trim()) }, async () => {
    const { body } = await call('sign_up', { body: { name: name.trim() } });
    take(body.data);
  });
  return html`
    <p>Signing up is free and needs no card. It makes a Sandbox of your own:</p>
    <ul>
      <li>2,000 credits, good for 60 days; most calls cost 1.</li>
      <li>10 calls a minute, on the same data as everybody’s.</li>
      <li>You as its owner, with room for keys and colleagues.</li>
    </ul>
    <form ref=${form.ref} onSubmit=${form.onSubmit} noValidate>
      <${Field} label="Name of your organization" hint="Colleagues see it. Such as: Example Coffee"
        error=${form.at('/name')}>
        <input autocomplete="organization" value=${name}
          onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
      <//>
      <${Failure} error=${form.error} />
      <button class="primary" disabled=${form.isBusy}>Sign up · ${costOf('sign_up')}</button>
    </form>`;
}

/** @type {Record<Refusal['code'], string>} */
const MEANINGS = {
  EMAIL_NOT_VERIFIED: 'Your address is not verified yet',
  SIGN_UP_CLOSED: 'Nobody can sign up by themselves here',
  SIGNED_UP_BEFORE: 'You have signed up before',
  SIGN_UPS_EXHAUSTED: 'As many people have signed up today as may',
};

/** @param {{refusal: Refusal}} props */
function Refused({ refusal: { code, message } }) {
  return html`
    <div class="failure" role="alert">
      <h3>${MEANINGS[code]}</h3>
      <p>${sentence(message)}</p>
      ${code === 'EMAIL_NOT_VERIFIED' && html`<button onClick=${signInAsAnother}>Sign in again</button>`}
      ${code === 'SIGN_UPS_EXHAUSTED' && html`<button onClick=${readAccount}>Try again</button>`}
      ${code === 'SIGN_UP_CLOSED' && configuration.support_url && html`
        <p><a href=${configuration.support_url}>Ask for an organization</a></p>`}
      <${Reference} code=${code} />
    </div>`;
}

/** @param {string} name */
function wrongName(name) {
  if (name === '') return 'Enter the name of your organization.';
  if (/\p{Cc}/u.test(name)) return 'Leave out tabs and other control characters.';
  return [...name].length > LONGEST_NAME ? `Use at most ${LONGEST_NAME} characters.` : null;
}
