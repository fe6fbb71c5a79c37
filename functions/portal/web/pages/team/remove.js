// The dialog that removes a member and optionally revokes or deletes what the member created. Also shows the
// outcome.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { useCall } from '../../api/use-call.js';
import { organization } from '../../api/account.js';
import { pageUrl } from '../../addresses.js';
import { Question } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { count, date } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { nameOf, ofKey } from '../../ui/who.js';
import { MemberDetails } from './member-details.js';

/** @typedef {import('../../api/types').Answer<'remove_member'>['data']} Removed */
/** @typedef {Pick<Removed, 'keys' | 'tile_grants' | 'client_links' | 'webhooks'>} Made */
/** @typedef {(keyof Made)[]} Kinds */

/** @type {Made} */
const NONE = { keys: [], tile_grants: [], client_links: [], webhooks: [] };

const NOTHING = 'no active keys, tile grants, client links, or webhooks.';

/**
 * Asks for confirmation. Owners see the member's keys, grants, links, and webhooks, and choose which kinds to
 * revoke or delete.
 * @param {{id: string, name: string, isYou: boolean, isManager: boolean, isLast?: boolean,
 *   onRemoved: (removed: Removed) => void, onClose: () => void}} props
 */
export function Remove({ id, name, isYou, isManager, isLast = false, onRemoved, onClose }) {
  const [revoke, setRevoke] = useState(/** @type {Kinds} */ ([]));
  const made = useCall('read_member', isManager ? { path: { member_id: id } } : null);
  const from = organization.value?.name ?? 'your organization';
  const run = async () => {
    const query = revoke.length > 0 ? { revoke: revoke.join(',') } : {};
    const { body } = await call('remove_member', { path: { member_id: id }, query });
    onRemoved(body.data);
  };
  return html`
    <${Question} title=${isYou ? `Leave ${from}?` : `Remove from ${from}?`} name=${name} run=${run}
      onClose=${onClose} action=${isYou ? 'Leave' : 'Remove'} keep=${isYou ? 'Stay' : 'Keep them'}>
      <p>${isYou ? 'You' : 'They'}’ll need an invitation to rejoin; no one can sign up twice.</p>
      ${isLast && html`
        <p class="warning">You’re the only member, so no one will manage the organization. Its keys,
          webhooks, tile grants, and client links keep working; only an administrator can stop them.</p>`}
      ${made.isLoading && html`<${Loading} what="keys, grants, links, and webhooks" lines=${2} />`}
      <${Failure} error=${made.error} retry=${made.retry} />
      ${made.body && html`
        <${MadeBy} isYou=${isYou} made=${made.body.data} revoke=${revoke} onChange=${setRevoke} />`}
      <${MemberDetails} id=${id} />
    <//>`;
}

/** @param {{isYou: boolean, made: Made, revoke: Kinds, onChange: (revoke: Kinds) => void}} props */
function MadeBy({ isYou, made, revoke, onChange }) {
  const { keys, tile_grants: grants, client_links: links, webhooks } = made;
  if (!isAny(made)) return html`<p>${isYou ? 'You have' : 'They have'} ${NOTHING}</p>`;
  const toggle = (/** @type {Kinds[number]} */ kind) =>
    onChange(revoke.includes(kind) ? revoke.filter((other) => other !== kind) : [...revoke, kind]);
  const choice = (/** @type {Kinds[number]} */ kind, /** @type {string} */ text) => html`
    <label>
      <input type="checkbox" checked=${revoke.includes(kind)} onChange=${() => toggle(kind)} /> ${text}
    </label>`;
  return html`
    <fieldset class="checks">
      <legend>These keep working unless you revoke or delete them</legend>
      ${keys.length > 0 && choice('keys', `Revoke ${count(keys.length, 'key')}`)}
      <${MadeList} made=${{ ...NONE, keys }} />
      ${grants.length > 0 && choice('tile_grants', `Revoke ${count(grants.length, 'tile grant')}`)}
      <${MadeList} made=${{ ...NONE, tile_grants: grants }} keys=${keys} />
      ${links.length > 0 && choice('client_links', `Revoke ${count(links.length, 'client link')}`)}
      <${MadeList} made=${{ ...NONE, client_links: links }} />
      ${webhooks.length > 0 && choice('webhooks', `Delete ${count(webhooks.length, 'webhook')}`)}
      <${MadeList} made=${{ ...NONE, webhooks }} />
    </fieldset>`;
}

/**
 * @param {{made: Made, keys?: Made['keys']}} props `keys` contains the keys whose labels are shown next to
 *   the tile grants that were created with them
 */
function MadeList({ made, keys: named = made.keys }) {
  if (!isAny(made)) return null;
  const { keys, tile_grants: grants, client_links: links, webhooks } = made;
  return html`
    <ul>
      ${keys.map(({ label, last_four: digits }) => html`<li>Key “${label}” <code>…${digits}</code></li>`)}
      ${grants.map(({ label, product, allowed_origins: origins, created_by: { key_id: key } }) => html`
        <li>Tile grant “${label ?? 'no label'}” (${product}) for ${origins.join(', ')}${key
          && html`, created with ${ofKey(key, named)}`}</li>`)}
      ${links.map(({ asset_id: id, expires_at: at }) => html`
        <li>Client link to the <a href=${pageUrl(`campaigns/${id}`)}>campaign <code>${id}</code></a>, until
          ${date(at)}</li>`)}
      ${webhooks.map(({ url }) => html`<li>Webhook to <code>${url}</code></li>`)}
    </ul>`;
}

/**
 * Shows what was revoked and what still works.
 * @param {{removed: Removed, onDone: () => void}} props
 */
export function Outcome({ removed, onDone }) {
  const { revoked } = removed;
  const name = removed.member ? nameOf(removed.member) : 'The member';
  const keys = [...revoked.keys, ...removed.keys];
  return html`
    <section class="card" role="status">
      <p>${name} was removed.
        ${!isAny(revoked) && !isAny(removed) && ` They had ${NOTHING}`}</p>
      ${isAny(revoked) && html`<p>${revoked.webhooks.length > 0 ? 'Revoked or deleted' : 'Revoked'}:</p>
        <${MadeList} made=${revoked} keys=${keys} />`}
      ${isAny(removed) && html`<p>Still active:</p><${MadeList} made=${removed} keys=${keys} />`}
      <button onClick=${onDone}>Close</button>
    </section>`;
}

/** @param {Made} made */
function isAny({ keys, tile_grants: grants, client_links: links, webhooks }) {
  return keys.length + grants.length + links.length + webhooks.length > 0;
}
