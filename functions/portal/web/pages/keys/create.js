// The dialog that creates a key.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { NetworkError, reportLoss } from '../../api/errors.js';
import { costOf } from '../../api/limits.js';
import { Checkboxes } from '../../ui/checkboxes.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { Lifetime, wrongDays } from '../../ui/lifetime.js';
import { LostKey } from './lost-key.js';
import { SCOPES } from './scopes.js';

/** @typedef {import('./scopes.js').Scope} Scope */
/** @typedef {import('../../api/types').Answer<'create_key'>['data']} CreatedKey */

const LONGEST_LABEL = 200;
const OPTIONS = SCOPES.map(({ scope, allows }) => ({
  value: scope, name: html`<code>${scope}</code>`, about: allows,
}));

/**
 * Asks for a label, scopes, and an expiry, and creates the key.
 * @param {{onCreated: (key: CreatedKey) => void, onLost: () => void, onClose: () => void}} props `onLost` is
 *   called if the call gets no response, because it may still have created the key
 */
export function CreateKey({ onCreated, onLost, onClose }) {
  const [label, setLabel] = useState('');
  const [days, setDays] = useState('');
  const [scopes, setScopes] = useState(/** @type {Scope[]} */ ([]));
  const wrong = {
    '/label': wrongLabel(label),
    '/scopes': scopes.length === 0 ? 'Choose at least one scope.' : null,
    '/expires_in_days': wrongDays(days),
  };
  const form = useForm(wrong, async () => {
    const body = { label: label.trim(), scopes, expires_in_days: days === '' ? null : Number(days) };
    const created = await call('create_key', { body }).catch(reportLoss(onLost));
    onCreated(created.body.data);
  });
  return html`
    <${Dialog} title="Create key" onClose=${onClose}>
      <form ref=${form.ref} onSubmit=${form.onSubmit} noValidate>
        <p>The key is shown once. Store it in a safe place.</p>
        <${Field} label="Label" hint="Such as nightly import." error=${form.at('/label')}>
          <input autofocus autocomplete="off" value=${label}
            onInput=${(/** @type {any} */ event) => setLabel(event.target.value)} />
        <//>
        <${Checkboxes} legend="Scopes" options=${OPTIONS} chosen=${scopes} onChange=${setScopes}
          error=${form.at('/scopes')} />
        <${Lifetime} days=${days} onChange=${setDays} error=${form.at('/expires_in_days')} />
        <${Failure} error=${form.error} />
        ${form.error instanceof NetworkError && html`<${LostKey} />`}
        <div class="actions">
          <button type="button" onClick=${onClose}>Cancel</button>
          <button class="primary" disabled=${form.isBusy}>Create key · ${costOf('create_key')}</button>
        </div>
      </form>
    <//>`;
}

/** @param {string} label */
function wrongLabel(label) {
  if (label.trim() === '') return 'Enter a label.';
  return label.trim().length > LONGEST_LABEL ? `Use at most ${LONGEST_LABEL} characters.` : null;
}
