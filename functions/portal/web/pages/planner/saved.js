// The confirmation that a campaign was saved, with a link to the campaign and any warnings.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { warningCopy } from '../../api/error-copy.js';
import { pageUrl } from '../../addresses.js';
import { count } from '../../ui/format.js';

/** @typedef {import('../../scenario/save.js').Saved<'create_campaign'>} SavedCampaign */

/**
 * Confirms that a campaign was saved.
 * @param {{saved: SavedCampaign, sent: number[]}} props `sent` lists the spots' display IDs in order
 */
export function Saved({ saved, sent }) {
  const { asset, warnings, warningsTotal } = saved;
  const link = useRef(/** @type {HTMLAnchorElement | null} */ (null));
  useEffect(() => link.current?.focus(), [asset.asset_id]);
  const name = asset.campaign?.name || asset.customer.customer_scenario_name || asset.asset_id;
  return html`
    <section class="saved" role="status">
      <p><b>${name}</b> was saved as a draft.</p>
      <p><a ref=${link} href=${pageUrl(`campaigns/${asset.asset_id}`)}>Open campaign</a></p>
      ${warningsTotal > 0 && html`
        <p>
          ${count(warningsTotal, 'ID')} ${warningsTotal === 1 ? 'isn’t' : 'aren’t'} in the current data:
        </p>
        <ul>${warnings.map(({ pointer }) => html`
          <li class="warning">${displayAt(pointer, sent)}${warningCopy(pointer)}</li>`)}</ul>
        ${warningsTotal > warnings.length && html`<p>Only the first ${warnings.length} are shown.</p>`}`}
    </section>`;
}

/**
 * @param {string} pointer
 * @param {number[]} sent
 */
function displayAt(pointer, sent) {
  const position = /^\/spots\/(\d+)\//.exec(pointer)?.[1];
  return position === undefined ? '' : `Display ${sent[Number(position)]}: `;
}
