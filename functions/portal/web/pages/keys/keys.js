// The page for the organization's API keys.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { useCall } from '../../api/use-call.js';
import { pageUrl } from '../../addresses.js';
import { managesKeys, organization } from '../../api/account.js';
import { Question } from '../../ui/dialog.js';
import { Empty } from '../../ui/empty.js';
import { Failure } from '../../ui/failure.js';
import { count } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { OwnersOnly } from '../../ui/owners-only.js';
import { Secret } from '../../ui/secret.js';
import { useFragment } from '../../ui/use-fragment.js';
import { EndedKeys, LiveKeys } from './lists.js';
import { LostKey } from './lost-key.js';
import { CreateKey } from './create.js';

/** @typedef {import('./lists.js').ApiKey} ApiKey */

/** Shows the organization's keys to owners, and a notice to members. */
export default function Keys() {
  if (!managesKeys.value) {
    return html`
      <div class="sheet">
        <h1>Keys</h1>
        <${OwnersOnly} what="create, view, and revoke API keys">
          <p>You don’t need a key to use this portal.</p>
          <p><a href=${pageUrl('planner')}>Open the planner</a></p>
        <//>
      </div>`;
  }
  return html`<div class="sheet"><${KeysOfOwner} /></div>`;
}

function KeysOfOwner() {
  const { body, error, retry } = useCall('list_keys', {});
  const [isCreating, setIsCreating] = useState(false);
  useFragment('create', () => setIsCreating(true));
  const [created, setCreated] = useState(/** @type {import('./create.js').CreatedKey | null} */ (null));
  const [isLost, setIsLost] = useState(false);
  const [ending, setEnding] = useState(/** @type {ApiKey | null} */ (null));
  const keys = body?.data ?? [];
  const live = keys.filter(({ state }) => state === 'live');
  const left = (organization.value?.limits.live_keys ?? 0) - live.length;
  const show = (/** @type {import('./create.js').CreatedKey} */ key) => {
    setCreated(key);
    setIsCreating(false);
    retry();
  };
  const lost = () => {
    setIsLost(true);
    retry();
  };
  const revoked = () => {
    setIsLost(false);
    if (ending?.key_id === created?.key_id) setCreated(null);
    retry();
  };
  return html`
    <div class="heading">
      <h1>Keys</h1>
      <button class=${live.length > 0 ? 'primary' : ''} disabled=${!body || left <= 0}
        onClick=${() => setIsCreating(true)}>Create key…</button>
    </div>
    <p>Programs send their key in the <code>X-API-Key</code> header. Use a separate key for each program, with
      only the scopes it needs. ${body && allowance(left, live.length)}</p>
    <p>Maps on your websites use a <a href=${pageUrl('tiles')}>tile grant</a> instead of a key.</p>
    ${created?.api_key && html`
      <${Secret} title=${`Your key “${created.label}”`} text=${created.api_key} what="the key"
        onDone=${() => setCreated(null)} />`}
    ${isLost && !isCreating && html`<${LostKey} />`}
    <${Failure} error=${error} retry=${retry} />
    ${!body && !error && html`<${Loading} what="the keys" />`}
    ${body && live.length === 0 && !created && html`<${NoKeys} onCreate=${() => setIsCreating(true)} />`}
    ${live.length > 0 && html`<${LiveKeys} keys=${live} onRevoke=${setEnding} />`}
    <${EndedKeys} keys=${keys.filter(({ state }) => state !== 'live')} />
    ${isCreating && html`
      <${CreateKey} onCreated=${show} onLost=${lost} onClose=${() => setIsCreating(false)} />`}
    ${ending && html`<${Revoke} apiKey=${ending} onClose=${() => setEnding(null)} onRevoked=${revoked} />`}`;
}

/** @param {{onCreate: () => void}} props */
function NoKeys({ onCreate }) {
  return html`
    <${Empty} title="No active keys">
      <p>A program needs a key to call the API.</p>
      <button class="primary" onClick=${onCreate}>Create key…</button>
    <//>`;
}

/** @param {{apiKey: ApiKey, onClose: () => void, onRevoked: () => void}} props */
function Revoke({ apiKey, onClose, onRevoked }) {
  const run = async () => {
    await call('revoke_key', { path: { key_id: apiKey.key_id } });
    onRevoked();
  };
  return html`
    <${Question} title="Revoke this key?" name=${`${apiKey.label} (…${apiKey.last_four})`}
      action="Revoke key" run=${run} onClose=${onClose}>
      <p>Calls with this key are rejected within 30 seconds. This can’t be undone; the program will need a new
        key.</p>
    <//>`;
}

/**
 * @param {number} left
 * @param {number} live
 */
function allowance(left, live) {
  if (left > 0) return `You can create ${count(left, 'more key')}.`;
  return `You’ve reached the limit of ${count(live, 'key')}. Revoke a key to create another.`;
}
