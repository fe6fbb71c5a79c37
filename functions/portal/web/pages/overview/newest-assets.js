// The newest campaigns and events. Each of the two lists costs a credit, so they're loaded only after a
// click.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { costOf } from '../../api/limits.js';
import { useCall } from '../../api/use-call.js';
import { pageUrl } from '../../addresses.js';
import { Failure } from '../../ui/failure.js';
import { date } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { StateBadge } from '../../ui/state-badge.js';
import { Table } from '../../ui/table.js';

/** The maximum number of campaigns to show. The same maximum applies to events. */
const LIMIT = 5;

/** @typedef {{id: string, name: string, state: import('../../ui/state-badge.js').AssetState,
 *   updated: string, kind: 'campaigns' | 'events'}} Asset */

/** @type {import('../../ui/table.js').Column<Asset>[]} */
const COLUMNS = [
  { title: 'State', cell: ({ state }) => html`<${StateBadge} state=${state} />` },
  { title: 'Name', cell: ({ kind, id, name }) => html`<a href=${pageUrl(`${kind}/${id}`)}>${name}</a>` },
  { title: 'Kind', cell: ({ kind }) => (kind === 'campaigns' ? 'Campaign' : 'Event') },
  { title: 'Updated', cell: ({ updated }) => date(updated) },
];

/** Shows a button that states the cost of both lists and loads them. */
export function NewestAssets() {
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) return html`<${Listed} />`;
  return html`
    <p>Load your latest campaigns and events.</p>
    <button onClick=${() => setIsAsked(true)}>
      Show latest · ${costOf('list_campaigns', 'list_events')}
    </button>`;
}

function Listed() {
  const query = { limit: LIMIT };
  const campaigns = useCall('list_campaigns', { query });
  const events = useCall('list_events', { query });
  const error = campaigns.error ?? events.error;
  const retry = () => {
    if (campaigns.error) campaigns.retry();
    if (events.error) events.retry();
  };
  if (error) return html`<${Failure} error=${error} retry=${retry} />`;
  if (!campaigns.body || !events.body) return html`<${Loading} what="the latest campaigns and events" />`;
  const assets = [
    ...campaigns.body.data.map((asset) => rowOf(asset, asset.campaign?.name, 'campaigns')),
    ...events.body.data.map((asset) => rowOf(asset, asset.name, 'events')),
  ].sort((one, other) => other.updated.localeCompare(one.updated));
  if (assets.length === 0) return html`<p>None yet. <a href=${pageUrl('planner')}>Plan a campaign</a></p>`;
  return html`
    <${Table} caption="The newest campaigns and events, last changed first" isCaptionHidden=${true}
      columns=${COLUMNS} rows=${assets} keyOf=${(/** @type {Asset} */ { id }) => id} />`;
}

/**
 * @param {{asset_id?: string, state?: Asset['state'], updated_at?: string}} asset
 * @param {string | null | undefined} name
 * @param {Asset['kind']} kind
 * @returns {Asset}
 */
function rowOf({ asset_id: id = '', state = 'draft', updated_at: updated = '' }, name, kind) {
  return { id, state, updated, kind, name: name ?? id };
}
