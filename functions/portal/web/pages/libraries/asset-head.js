// The header of an asset's page: its name, its state, and the buttons for its actions.

import { html } from 'htm/preact';
import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { currentEstimate } from '../../scenario/estimate.js';
import { ExportMenu } from '../../scenario/export-menu.js';
import { Question } from '../../ui/dialog.js';
import { StateBadge, stateName } from '../../ui/state-badge.js';
import { Duplicate } from './duplicate.js';
import { CAMPAIGNS, titleOf } from './family.js';

/** @typedef {import('./family.js').Version} Version */
/** @typedef {import('./family.js').Family} Family */

/** The views of an asset's page. */
/** @typedef {'readable' | 'edit'} View */

/** The states in which an asset can be edited or deleted. */
const EDITABLE = ['draft', 'queued', 'failed'];

/**
 * Shows the header with buttons that edit, export, duplicate, and delete the asset.
 * @param {{family: Family, version: Version, view: View, onView: (view: View) => void}} props
 */
export function AssetHead({ family, version, view, onView }) {
  const [asks, setAsks] = useState(/** @type {'duplicate' | 'delete' | null} */ (null));
  const why = useId();
  const { asset } = version;
  const title = titleOf(family, asset);
  const isEditable = EDITABLE.includes(asset.state);
  const locked = isEditable ? undefined : why;
  const close = () => setAsks(null);
  return html`
    <header class="head">
      <div>
        <p class="up"><a href=${pageUrl(family.many)}>${family.title}</a></p>
        <h1>${title} <${StateBadge} state=${asset.state} /></h1>
        <p class="dates">${family.runs(asset)}${asset.timezone && `, ${asset.timezone}`}</p>
      </div>
      <div class="tools">
        <button class="primary" disabled=${!isEditable || view === 'edit'} aria-describedby=${locked}
          onClick=${() => onView('edit')}>Edit</button>
        ${family.one === 'campaign' && isEditable && html`
          <a class="button" href=${pageUrl(`planner/${asset.asset_id}`)}>Edit on the map</a>`}
        ${family.one === 'campaign' && html`<${ExportMenu} plan=${() => exported(asset, title)} />`}
        <button onClick=${() => setAsks('duplicate')}>Duplicate</button>
        <button class="danger" disabled=${!isEditable} aria-describedby=${locked}
          onClick=${() => setAsks('delete')}>Delete</button>
      </div>
    </header>
    ${!isEditable && html`
      <p id=${why} class="locked">
        This ${family.one} is ${stateName(asset.state).toLowerCase()} and can’t be edited.
      </p>`}
    ${asks === 'duplicate' && html`<${Duplicate} family=${family} asset=${asset} onClose=${close} />`}
    ${asks === 'delete' && html`
      <${Delete} family=${family} version=${version} title=${title} onClose=${close} />`}`;
}

/**
 * @param {any} asset
 * @param {string} title
 */
function exported(asset, title) {
  const draft = CAMPAIGNS.draft(asset);
  return { title, draft, estimate: currentEstimate(asset.asset_id, draft), known: () => ({}) };
}

/** @param {{family: Family, version: Version, title: string, onClose: () => void}} props */
function Delete({ family, version: { asset, etag }, title, onClose }) {
  const { route } = useLocation();
  const run = async () => {
    const path = { asset_id: asset.asset_id };
    await call(family.remove, { path, headers: { 'If-Match': etag } }).catch((error) => {
      // A 404 means that an earlier attempt deleted the asset but its response was lost.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });
    route(pageUrl(family.many));
  };
  return html`
    <${Question} title=${`Delete this ${family.one}?`} name=${title}
      action=${`Delete · ${costOf(family.remove)}`}
      run=${run} onClose=${onClose}>
      <p>This can’t be undone.${asset.state === 'queued'
        && ' If Marquee measures it, the measurement is canceled, and its price is refunded, minus 1 credit.'}</p>
    <//>`;
}
