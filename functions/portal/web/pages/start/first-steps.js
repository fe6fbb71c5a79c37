// An owner's first steps: creating a key and making the first call.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { NetworkError } from '../../api/errors.js';
import { costOf } from '../../api/limits.js';
import { useCall } from '../../api/use-call.js';
import { pageUrl } from '../../addresses.js';
import { Failure } from '../../ui/failure.js';
import { date } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Secret } from '../../ui/secret.js';
import { LostKey } from '../keys/lost-key.js';
import { FIRST_SCOPES } from '../keys/scopes.js';
import { FirstCall } from './first-call.js';
import { Step } from './step.js';

/** @typedef {import('../../api/types').Schema<'ApiKey'>} ApiKey */
/** @typedef {import('../../api/types').Answer<'create_key'>['data']} CreatedKey */

const LABEL = 'first key';

/** Shows the two steps after sign-up: creating a key and making a call. */
export function FirstSteps() {
  const { body, error, retry } = useCall('list_keys', {});
  const [created, setCreated] = useState(/** @type {CreatedKey | null} */ (null));
  const [isLost, setIsLost] = useState(false);
  const lost = () => {
    setIsLost(true);
    retry();
  };
  const newest = created ?? body?.data.find(({ state }) => state === 'live');
  return html`
    <${Step} title="Create a key" isDone=${Boolean(newest)} isNow=${Boolean(body) && !newest}>
      <${Failure} error=${error} retry=${retry} />
      ${!body && !error && html`<${Loading} what="your keys" lines=${2} />`}
      ${isLost && html`<${LostKey} />`}
      ${body && html`
        <${KeyStep} newest=${newest} created=${created} onCreated=${setCreated} onLost=${lost} />`}
    <//>
    ${newest
      ? html`<${FirstCall} apiKey=${created?.api_key ?? null} />`
      : html`<${Step} title="Make a call" />`}`;
}

/**
 * @param {{newest?: ApiKey, created: CreatedKey | null, onCreated: (key: CreatedKey) => void,
 *   onLost: () => void}} props
 */
function KeyStep({ newest, created, onCreated, onLost }) {
  if (created?.api_key) {
    return html`<${Secret} title=${`Your key “${created.label}”`} text=${created.api_key} what="the key" />`;
  }
  if (newest) {
    return html`
      <p>You have the key “${newest.label}”, <code>mq_live_…${newest.last_four}</code>, created${' '}
        ${date(newest.created_at)}. Keys are shown only once.</p>
      <p>Lost the key? <a href=${pageUrl('keys')}>Revoke it</a> and create another.</p>
      <${CreateButton} text="Create another key" onCreated=${onCreated} onLost=${onLost} />`;
  }
  return html`
    <p>A program sends its key with every call. Your first key has the scopes
      ${' '}${FIRST_SCOPES.map((scope, n) => html`${n > 0 && ', '}<code>${scope}</code>`)}. The key is shown
      once; store it in a safe place.</p>
    <${CreateButton} text="Create your first key" isFirst onCreated=${onCreated} onLost=${onLost} />`;
}

/**
 * @param {{text: string, isFirst?: boolean, onCreated: (key: CreatedKey) => void, onLost: () => void}} props
 */
function CreateButton({ text, isFirst = false, onCreated, onLost }) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const create = async () => {
    setIsBusy(true);
    setError(null);
    try {
      const { body } = await call('create_key', { body: { label: LABEL, scopes: FIRST_SCOPES } });
      onCreated(body.data);
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
      if (failed instanceof NetworkError) onLost();
    }
    setIsBusy(false);
  };
  return html`
    <${Failure} error=${error} />
    <button class=${isFirst ? 'primary' : ''} disabled=${isBusy} onClick=${create}>
      ${text} · ${costOf('create_key')}
    </button>`;
}
