// The first steps of somebody new: an organization of their own.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../../api/client.js';
import { pageUrl } from '../../configuration.js';
import { account, readAccount } from '../../session/account.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';

/** Signs somebody up. */
export default function Start() {
  const { route } = useLocation();
  const [name, setName] = useState('');
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const refusal = account.value?.sign_up?.refusal;
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await call('sign_up', { body: { name } });
      await readAccount();
      route(pageUrl());
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
    }
  };
  return html`
    <h1>Make an organization</h1>
    ${refusal && html`<p class="error">${refusal.message}</p>`}
    <form onSubmit=${submit}>
      <${Field} label="Name of your organization">
        <input required maxlength="100" value=${name}
          onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
      <//>
      <${Failure} error=${error} />
      <button class="primary">Sign up · free</button>
    </form>`;
}
