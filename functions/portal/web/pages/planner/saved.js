// What a save left: the way to the new campaign, and what in it the release does not have.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { pageUrl } from '../../addresses.js';
import { count, sentence } from '../../ui/format.js';

/** @typedef {import('../../scenario/save.js').Saved<'create_campaign'>} SavedCampaign */

/**
 * Says that a campaign was saved.
 * @param {{saved: SavedCampaign, sent: number[]}} props `sent` are the displays of its spots, in order
 */
export function Saved({ saved, sent }) {
  const { asset, warnings, warningsTotal } = saved;
  const link = useRef(/** @type {HTMLAnchorElement | null} */ (null));
  useEffect(() => link.current?.focus(), [asset.asset_id]);
  const name = asset.campaign?.name || asset.customer.customer_scenario_name || asset.asset_id;
  return html`
    <section class="saved" role="status">
      <p><b>${name}</b> is saved as a draft.</p>
      <p><a ref=${link} href=${pageUrl(`campaigns/${asset.asset_id}`)}>Open the campaign</a></p>
      ${warningsTotal > 0 && html`
        <p>
          ${count(warningsTotal, 'thing')} in it ${warningsTotal === 1 ? 'is' : 'are'} not in the release at
          present:
        </p>
        <ul>${warnings.map(({ pointer, detail }) => html`
          <li class="warning">${displayAt(pointer, sent)}${sentence(detail)}</li>`)}</ul>
        ${warningsTotal > warnings.length && html`<p>The first ${warnings.length} are shown.</p>`}`}
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
