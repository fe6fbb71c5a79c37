// The page that an invitation link opens, with a button that accepts the invitation.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { account, organization, take } from '../../api/account.js';
import { signInAsAnother } from '../../session/session.js';
import { ROLES, may } from '../../api/roles.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';

/** The format of an invitation's token. */
const TOKEN = /mqi_[0-9a-f]{64}/;

/** Shows the invitation whose token is in the address. Without a token, asks for an invitation link. */
export default function Invitation() {
  const [token, setToken] = useState(tokenOf(location.hash));
  const [isAccepted, setIsAccepted] = useState(false);
  useEffect(() => {
    const listen = () => setToken(tokenOf(location.hash));
    addEventListener('hashchange', listen);
    return () => removeEventListener('hashchange', listen);
  }, []);
  const done = () => {
    // Remove the token from the address once it has been used.
    history.replaceState(null, '', pageUrl('invitation'));
    setIsAccepted(true);
  };
  if (isAccepted) return html`<${Welcome} />`;
  if (token === null) return html`<${Paste} onToken=${setToken} />`;
  return html`<${Accept} token=${token} onAccepted=${done} />`;
}

/** @param {{token: string, onAccepted: () => void}} props */
function Accept({ token, onAccepted }) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const accept = async () => {
    setIsBusy(true);
    setError(null);
    try {
      const { body } = await call('accept_invitation', { body: { token } });
      take(body.data);
      onAccepted();
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
      setIsBusy(false);
    }
  };
  return html`
    <section class="card invitation">
      <h1>You’re invited</h1>
      <p>You’re signed in as
        ${' '}<strong>${account.value?.person.email ?? 'an account without an email address'}</strong>. The
        invitation works only for the address it was sent to.</p>
      ${organization.value && html`
        <p class="warning">You already belong to ${organization.value.name ?? organization.value.org_id}. To
          join another organization, leave it first on the <a href=${pageUrl('team')}>Team</a> page.</p>`}
      <${Failure} error=${error} />
      <div class="actions">
        <button onClick=${signInAsAnother}>Sign in with another address</button>
        <button class="primary" disabled=${isBusy} onClick=${accept}>
          Accept invitation · ${costOf('accept_invitation')}
        </button>
      </div>
    </section>`;
}

/** @param {{onToken: (token: string) => void}} props */
function Paste({ onToken }) {
  const [text, setText] = useState('');
  const hint = 'Paste the complete link. It ends in mqi_ and 64 characters.';
  const wrong = TOKEN.test(text) ? null : hint;
  const form = useForm({ '/token': wrong }, async () => onToken(/** @type {string} */ (tokenOf(text))));
  return html`
    <section class="card invitation">
      <h1>Open an invitation</h1>
      <form ref=${form.ref} onSubmit=${form.onSubmit} noValidate>
        <${Field} label="Invitation link" error=${form.at('/token')}
          hint="An owner of the organization sends it to you.">
          <input autocomplete="off" spellcheck="false" value=${text}
            onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
        <//>
        <div class="actions"><button class="primary">Open</button></div>
      </form>
    </section>`;
}

function Welcome() {
  const { name, org_id: id, role = 'member' } = organization.value ?? {};
  const manages = may(role, 'manage_members') ? ' and can manage keys, webhooks, and members' : '';
  return html`
    <section class="card invitation" role="status">
      <h1>Welcome to ${name ?? id}</h1>
      <p>You’re ${ROLES[role].as}${manages}. You share the organization’s credits, campaigns, and events.</p>
      <div class="actions">
        <a class="button" href=${pageUrl()}>View the overview</a>
        <a class="button primary" href=${pageUrl('planner')}>Open the planner</a>
      </div>
    </section>`;
}

/** @param {string} text */
function tokenOf(text) {
  return TOKEN.exec(text)?.[0] ?? null;
}
