// The readable view of an asset: sites, estimate, measurement, dates, audience, advertiser, history, and
// links.

import { html } from 'htm/preact';
import { time } from '../../ui/format.js';
import { stateName } from '../../ui/state-badge.js';
import { FormErrors, notesOf } from '../../scenario/violations.js';
import { sites } from '../../scenario/sites.js';
import { Timeline } from '../../scenario/timeline.js';
import { EstimateSection } from '../../scenario/estimate-section.js';
import { warningsOf } from '../../scenario/warnings.js';
import { Audience } from './audience.js';
import { ClientLinks } from './client-links.js';
import { Measurement } from './measurement.js';
import { Sites } from './sites.js';

/** @typedef {import('./family.js').Family} Family */

/**
 * Shows the warnings, sites, figures, timeline, facts, and client links of an asset.
 * @param {{family: Family, asset: any, onBought: () => void}} props
 */
export function AssetReadable({ family, asset, onBought }) {
  const notes = notesOf(family.fields, { warnings: warningsOf(asset.asset_id) });
  const isCampaign = family.one === 'campaign';
  const rows = family.rows(asset);
  return html`
    <${FormErrors} notes=${notes} />
    <${Sites} family=${family} asset=${asset} notes=${notes} />
    ${isCampaign && html`
      <section class="card" aria-labelledby="estimate">
        <h2 id="estimate">Estimate</h2>
        <${EstimateSection} owner=${asset.asset_id} draft=${family.draft(asset)} nameOf=${displayName} />
      </section>`}
    <${Measurement} family=${family} asset=${asset} nameOf=${displayName} onBought=${onBought} />
    ${(rows.length > 1 || !isCampaign) && html`
      <section class="card runs">
        <h2>${isCampaign ? 'Flight and windows' : 'Periods'}</h2>
        <${Timeline} caption=${isCampaign ? 'Flight and windows' : 'Periods'} rows=${rows} />
      </section>`}
    <div class="parts">
      <section class="card"><${Audience} cohort=${asset.cohort} notes=${notes} /></section>
      <section class="card"><${Facts} asset=${asset} /></section>
      <section class="card"><${History} asset=${asset} /></section>
    </div>
    ${isCampaign && html`<${ClientLinks} id=${asset.asset_id} />`}`;
}

/** @param {string} id */
function displayName(id) {
  const site = sites.displays.value.get(id);
  return site ? `${site.name}, ${site.about}` : '';
}

/** @param {{asset: any}} props */
function Facts({ asset }) {
  const { customer, campaign, description } = asset;
  const facts = [
    ['Reference', campaign?.reference], ['Description', description], ['Advertiser', customer.customer_name],
    ['Advertiser ID', customer.customer_id], ['External ID', customer.customer_scenario_id],
    ['External name', customer.customer_scenario_name], ['Notes', customer.customer_scenario_info],
  ].filter(([, text]) => text !== undefined && text !== '');
  return html`
    <h2>Advertiser</h2>
    <dl class="facts">
      ${facts.map(([label, text]) => html`<dt>${label}</dt><dd>${text}</dd>`)}
    </dl>`;
}

/** @param {{asset: any}} props */
function History({ asset }) {
  const { created_at: created, updated_at: updated, last_measured_at: measured, version, state } = asset;
  const word = stateName(state).toLowerCase();
  const moments = [
    { at: created, text: 'Created as a draft' },
    ...(measured ? [{ at: measured, text: 'Last measured' }] : []),
    ...(version > 1 ? [{ at: updated, text: `Last updated: version ${version}, ${word}` }] : []),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return html`
    <h2>History</h2>
    <ol class="history">
      ${moments.map(({ at, text }) => html`<li><time datetime=${at}>${time(at)}</time> ${text}</li>`)}
    </ol>
    ${!measured && html`<p><small>Not measured yet.</small></p>`}`;
}
