// API keys: those that work, those that have ended, and who made them.

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
import { Mint } from './mint.js';

/** @typedef {import('./lists.js').ApiKey} ApiKey */

/** Shows the organization's keys to its owners, and to others why they cannot see them. */
export default function Keys() {
  if (!managesKeys.value) {
    return html`
      <div class="sheet">
        <h1>Keys</h1>
        <${OwnersOnly} what="mint, see and revoke its API keys">
          <p>The pages of this portal need no key: you can plan without one.</p>
          <p><a href=${pageUrl('planner')}>Open the planner</a></p>
        <//>
      </div>`;
  }
  return html`<div class="sheet"><${KeysOfOwner} /></div>`;
}

function KeysOfOwner() {
  const { body, error, retry } = useCall('list_keys', {});
  const [isMinting, setIsMinting] = useState(false);
  useFragment('mint', () => setIsMinting(true));
  const [minted, setMinted] = useState(/** @type {import('./mint.js').MintedKey | null} */ (null));
  const [isLost, setIsLost] = useState(false);
  const [ending, setEnding] = useState(/** @type {ApiKey | null} */ (null));
  const keys = body?.data ?? [];
  const live = keys.filter(({ state }) => state === 'live');
  const left = (organization.value?.limits.live_keys ?? 0) - live.length;
  const show = (/** @type {import('./mint.js').MintedKey} */ key) => {
    setMinted(key);
    setIsMinting(false);
    retry();
  };
  const lost = () => {
    setIsLost(true);
    retry();
  };
  const revoked = () => {
    setIsLost(false);
    if (ending?.key_id === minted?.key_id) setMinted(null);
    retry();
  };
  return html`
    <div class="heading">
      <h1>Keys</h1>
      <button class=${live.length > 0 ? 'primary' : ''} disabled=${!body || left <= 0}
        onClick=${() => setIsMinting(true)}>Mint a key…</button>
    </div>
    <p>A program sends its key as <code>X-API-Key</code>. Use one key for each program, with the scopes that
      it needs. ${body && allowance(left, live.length)}</p>
    <p>Maps on your sites show tiles without a key, by a <a href=${pageUrl('tiles')}>tile grant</a>.</p>
    ${minted?.api_key && html`
      <${Secret} title=${`Your key “${minted.label}”`} text=${minted.api_key} what="the key"
        onDone=${() => setMinted(null)} />`}
    ${isLost && !isMinting && html`<${LostKey} />`}
    <${Failure} error=${error} retry=${retry} />
    ${!body && !error && html`<${Loading} what="the keys" />`}
    ${body && live.length === 0 && !minted && html`<${NoKeys} onMint=${() => setIsMinting(true)} />`}
    ${live.length > 0 && html`<${LiveKeys} keys=${live} onRevoke=${setEnding} />`}
    <${EndedKeys} keys=${keys.filter(({ state }) => state !== 'live')} />
    ${isMinting && html`<${Mint} onMinted=${show} onLost=${lost} onClose=${() => setIsMinting(false)} />`}
    ${ending && html`<${Revoke} apiKey=${ending} onClose=${() => setEnding(null)} onRevoked=${revoked} />`}`;
}

/** @param {{onMint: () => void}} props */
function NoKeys({ onMint }) {
  return html`
    <${Empty} title="No key works yet">
      <p>Programs need one to call the interface. Mint it, and give it to one program.</p>
      <button class="primary" onClick=${onMint}>Mint a key…</button>
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
      action="Revoke the key" run=${run} onClose=${onClose}>
      <p>Within 30 seconds every call with it is refused. That cannot be taken back: its program needs another
        key.</p>
    <//>`;
}

/**
 * @param {number} left
 * @param {number} live
 */
function allowance(left, live) {
  if (left > 0) return `You can mint ${count(left, 'more key')}.`;
  return `You have ${count(live, 'key')} that work, the most there can be: revoke one to mint another.`;
}
