// Tile grants: which sites may show the displays and places of the service on their maps.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { isPortals } from '../../map/tile-source.js';
import { organization } from '../../api/account.js';
import { Copy } from '../../ui/copy.js';
import { Question } from '../../ui/dialog.js';
import { GrantsOf } from './list.js';
import { MintGrant } from './mint.js';
import { useGrants } from './use-grants.js';
import { useMakers } from './use-makers.js';

/** @typedef {import('./use-grants.js').TileGrant} TileGrant */

/** Shows the grants of both products. */
export default function Tiles() {
  return html`<div class="sheet"><${Both} /></div>`;
}

function Both() {
  const displays = useGrants('displays');
  const places = useGrants('places');
  const makers = useMakers();
  const [isMinting, setIsMinting] = useState(false);
  const [minted, setMinted] = useState(/** @type {TileGrant | null} */ (null));
  const [ending, setEnding] = useState(/** @type {TileGrant | null} */ (null));
  const of = (/** @type {TileGrant} */ { product }) => (product === 'displays' ? displays : places);
  const show = (/** @type {TileGrant} */ grant) => {
    of(grant).add(grant);
    setMinted(grant);
    setIsMinting(false);
  };
  const shared = { makers, onRevoke: setEnding };
  return html`
    <div class="heading">
      <h1>Tile grants</h1>
      <button class="primary" onClick=${() => setIsMinting(true)}>Mint a grant…</button>
    </div>
    <p>A grant lets pages of the origins that it names show one product on a map. Give its TileJSON address
      to the map library of such a page: whoever knows the address can see the map. An organization has at
      most ${organization.value?.limits.live_tile_grants} grants that work.</p>
    ${minted && html`<${NewGrant} grant=${minted} onDone=${() => setMinted(null)} />`}
    <${GrantsOf} title="Displays" grants=${displays} ...${shared} />
    <${GrantsOf} title="Places" grants=${places} ...${shared} />
    ${isMinting && html`<${MintGrant} onMinted=${show} onClose=${() => setIsMinting(false)} />`}
    ${ending && html`
      <${Revoke} grant=${ending} onClose=${() => setEnding(null)} onRevoked=${of(ending).reload} />`}`;
}

/** @param {{grant: TileGrant, onDone: () => void}} props */
function NewGrant({ grant, onDone }) {
  return html`
    <section class="card secret" role="status">
      <h2>The grant “${grant.label ?? grant.product}” works</h2>
      <p>Its TileJSON address, for the map library of ${grant.allowed_origins.join(', ')}:</p>
      <${Copy} text=${grant.tilejson_url} what="the TileJSON address" />
      <div class="actions"><button onClick=${onDone}>Close</button></div>
    </section>`;
}

/** @param {{grant: TileGrant, onClose: () => void, onRevoked: () => void}} props */
function Revoke({ grant, onClose, onRevoked }) {
  const run = async () => {
    await call('revoke_tile_grant', { path: { product: grant.product, grant_id: grant.grant_id } });
    onRevoked();
  };
  const name = `${grant.label ?? 'Grant without a label'} (${grant.product})`;
  return html`
    <${Question} title="Revoke this grant?" name=${name} run=${run}
      action=${`Revoke the grant · ${costOf('revoke_tile_grant')}`} onClose=${onClose}>
      <p>Within 30 seconds the maps of ${grant.allowed_origins.join(', ')} show no ${grant.product} any more.
        That cannot be taken back.</p>
      ${isPortals(grant) && html`
        <p class="warning">This portal’s own maps use it. They mint another when they are opened next.</p>`}
    <//>`;
}
