// The dialog that creates or edits a webhook.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { NetworkError } from '../../api/errors.js';
import { configuration } from '../../configuration.js';
import { Checkboxes } from '../../ui/checkboxes.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { CHANGE_TYPES, describe } from './changes.js';
import { LostSecret } from './lost-secret.js';

/** @typedef {import('./changes.js').ChangeType} ChangeType */
/** @typedef {{url: string, event_types: ChangeType[]}} Wanted */

/** The formats of the URLs that the API accepts. Only a local service accepts the second one. */
const URL_FORMAT = /^https:\/\/([\w-]{1,63}\.)+[A-Za-z][\w-]{0,62}(:443)?([/?][\w.~:/?!$&'()*+,;=%-]*)?$/;
const LOCAL_FORMAT = /^http:\/\/(127\.0\.0\.1|localhost)(:\d{1,5})?([/?][\w.~:/?!$&'()*+,;=%-]*)?$/;
const LONGEST_URL = 1000;
const TYPES = CHANGE_TYPES.map((type) => ({ value: type, ...describe(type) }));

/**
 * Asks for a URL and the changes to send.
 * @param {{title: string, action: string, initial?: Wanted, send: (wanted: Wanted) => Promise<void>,
 *   onClose: () => void}} props `action` is the text of the button; `initial` is missing for a new webhook
 */
export function WebhookForm({ title, action, initial, send, onClose }) {
  const [url, setUrl] = useState(initial?.url ?? '');
  const [types, setTypes] = useState(initial?.event_types ?? []);
  const wrong = {
    '/url': wrongUrl(url.trim()),
    '/event_types': types.length === 0 ? 'Choose at least one change.' : null,
  };
  const form = useForm(wrong, () => send({ url: url.trim(), event_types: types }));
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form ref=${form.ref} onSubmit=${form.onSubmit} noValidate>
        ${!initial && html`<p>Its signing secret is shown once. Store it in a safe place.</p>`}
        <${Field} label="URL" hint="Such as https://example.com/marquee." error=${form.at('/url')}>
          <input autofocus type="url" autocomplete="off" spellcheck="false" value=${url}
            onInput=${(/** @type {any} */ event) => setUrl(event.target.value)} />
        <//>
        <${Checkboxes} legend="Changes to send" options=${TYPES} chosen=${types} onChange=${setTypes}
          error=${form.at('/event_types')} />
        <${Failure} error=${form.error} />
        ${!initial && form.error instanceof NetworkError && html`<${LostSecret} />`}
        <div class="actions">
          <button type="button" onClick=${onClose}>Cancel</button>
          <button class="primary" disabled=${form.isBusy}>${action}</button>
        </div>
      </form>
    <//>`;
}

/** @param {string} url */
function wrongUrl(url) {
  if (url === '') return 'Enter a URL.';
  if (url.length > LONGEST_URL) return `Use at most ${LONGEST_URL.toLocaleString()} characters.`;
  if (URL_FORMAT.test(url) || (configuration.local && LOCAL_FORMAT.test(url))) return null;
  const local = configuration.local ? ', or an http URL of this computer' : '';
  return `Enter an https URL with a host name and no user name, fragment, or port (except 443)${local}.`;
}
