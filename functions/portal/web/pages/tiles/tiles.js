// The page for tile grants, which allow websites to show displays or places on their maps.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { isPortals } from '../../map/tile-source.js';
import { managesTileGrants, organization } from '../../api/account.js';
import { Copy } from '../../ui/copy.js';
import { Question } from '../../ui/dialog.js';
import { useActors } from '../../ui/who.js';
import { GrantsOf } from './list.js';
import { CreateGrant } from './create.js';
import { useGrants } from './use-grants.js';

/** @typedef {import('./use-grants.js').TileGrant} TileGrant */

/** Shows the grants for displays and the grants for places. */
export default function Tiles() {
  return html`<div class="sheet"><${Both} /></div>`;
}

function Both() {
  const displays = useGrants('displays');
  const places = useGrants('places');
  const creators = useActors();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState(/** @type {TileGrant | null} */ (null));
  const [ending, setEnding] = useState(/** @type {TileGrant | null} */ (null));
  const of = (/** @type {TileGrant} */ { product }) => (product === 'displays' ? displays : places);
  const show = (/** @type {TileGrant} */ grant) => {
    of(grant).add(grant);
    setCreated(grant);
    setIsCreating(false);
  };
  const shared = { creators, onRevoke: setEnding };
  return html`
    <div class="heading">
      <h1>Tile grants</h1>
      <button class="primary" onClick=${() => setIsCreating(true)}>Create grant…</button>
    </div>
    <p>A grant lets websites at its allowed origins show displays or places on a map. Use its TileJSON URL in
      your map library. Anyone with this URL can view the map. Your organization can have up to
      ${' '}${organization.value?.limits.live_tile_grants} active grants.
      ${!managesTileGrants.value && ' You can revoke the grants that you created; owners can revoke any.'}</p>
    ${created && html`<${NewGrant} grant=${created} onDone=${() => setCreated(null)} />`}
    <${GrantsOf} title="Displays" grants=${displays} ...${shared} />
    <${GrantsOf} title="Places" grants=${places} ...${shared} />
    ${isCreating && html`<${CreateGrant} onCreated=${show} onClose=${() => setIsCreating(false)} />`}
    ${ending && html`
      <${Revoke} grant=${ending} onClose=${() => setEnding(null)} onRevoked=${of(ending).reload} />`}`;
}

/** @param {{grant: TileGrant, onDone: () => void}} props */
function NewGrant({ grant, onDone }) {
  return html`
    <section class="card secret" role="status">
      <h2>Grant “${grant.label ?? grant.product}” created</h2>
      <p>TileJSON URL for ${grant.allowed_origins.join(', ')}:</p>
      <${Copy} text=${grant.tilejson_url} what="TileJSON URL" />
      <div class="actions"><button onClick=${onDone}>Close</button></div>
    </section>`;
}

/** @param {{grant: TileGrant, onClose: () => void, onRevoked: () => void}} props */
function Revoke({ grant, onClose, onRevoked }) {
  const run = async () => {
    await call('revoke_tile_grant', { path: { product: grant.product, grant_id: grant.grant_id } });
    onRevoked();
  };
  const name = `${grant.label ?? 'No label'} (${grant.product})`;
  return html`
    <${Question} title="Revoke this grant?" name=${name} run=${run}
      action=${`Revoke grant · ${costOf('revoke_tile_grant')}`} onClose=${onClose}>
      <p>Maps on ${grant.allowed_origins.join(', ')} stop showing ${grant.product} within 30 seconds. This
        can’t be undone.</p>
      ${isPortals(grant) && html`
        <p class="warning">This portal’s maps use this grant. Opening a map creates a new one.</p>`}
    <//>`;
}
