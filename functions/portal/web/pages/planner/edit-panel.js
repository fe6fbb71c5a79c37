// The panel for changing the displays of a saved campaign on the map.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { costOf } from '../../api/limits.js';
import { busyLabel } from '../../api/waiting.js';
import { pageUrl } from '../../addresses.js';
import { CAMPAIGN_FIELDS, campaignBody, campaignFaults } from '../../scenario/campaign-form.js';
import { EstimateSection } from '../../scenario/estimate-section.js';
import { lookUp, sites } from '../../scenario/sites.js';
import { notesOf } from '../../scenario/violations.js';
import { keepWarnings } from '../../scenario/warnings.js';
import { Failure } from '../../ui/failure.js';
import { count, number } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { displays, ofLookup } from './display.js';
import { IdList } from './id-list.js';
import {
  added, base, changeCampaign, chosen, dropped, filledForm, isFilled, nameOf, startOver,
} from './plan.js';
import { PlanGroups } from './plan-groups.js';
import { PlanState } from './plan-state.js';

/**
 * Shows the displays of a saved campaign, and saves the changes.
 * @param {{id: string}} props
 */
export function EditPanel({ id }) {
  const { error, isBusy, load, save } = useCampaign(id);
  const { asset } = base.value ?? {};
  const isChangedByOthers = error instanceof ApiError && error.code === 'PRECONDITION_FAILED';
  const campaign = pageUrl(`campaigns/${id}`);
  if (!asset) {
    return html`
      <h2>Campaign</h2>
      <${Failure} error=${error} retry=${load} />
      ${!error && html`<${Loading} what="the campaign" />`}`;
  }
  const draft = filledForm();
  const notes = windowNotes(draft);
  const isSavable = isFilled.value && chosen.value.size > 0 && notes.errors === 0;
  const sent = draft.spots.map(({ display_id: display }) => Number(display));
  const unknown = asset.spots.length - (base.value?.displays.length ?? 0);
  return html`
    <h2>${asset.campaign?.name || asset.customer.customer_scenario_name || 'Unnamed campaign'}</h2>
    <p class="soft">${displays(chosen.value.size)}: ${number(added.value.length)} added, ${
      number(dropped.value.length)} removed</p>
    ${isFilled.value && html`
      <p><a href=${pageUrl(`compare?plan=draft+${id}&with=${id}`)}>Compare with the saved campaign</a></p>`}
    ${unknown > 0 && html`
      <p class="warning">${count(unknown, 'spot')} without a display in the current data stay${
        unknown === 1 && 's'} in the campaign.</p>`}
    <${PlanState} />
    <${PlanGroups} notes=${notes} sent=${sent} />
    <${IdList} />
    <h3>Estimate</h3>
    <${EstimateSection} owner=${id} draft=${draft} nameOf=${nameOf} />
    <${Failure} error=${error} />
    ${isChangedByOthers && html`
      <button type="button" onClick=${load}>
        Apply my changes to the newest version · ${costOf('read_campaign')}
      </button>`}
    <div class="actions save">
      <a href=${campaign}>Back</a>
      <button type="button" class="primary" onClick=${save} disabled=${isBusy || !isSavable}>
        ${isBusy ? busyLabel('Saving…') : `Save changes · ${costOf('edit_campaign')}`}</button>
    </div>`;
}

/**
 * Returns the errors in the spots' windows.
 * @param {import('../../scenario/campaign-form.js').CampaignDraft} draft
 */
function windowNotes(draft) {
  const faults = campaignFaults(draft).filter(({ pointer }) => pointer.endsWith('/windows'));
  return notesOf(CAMPAIGN_FIELDS, { faults });
}

/**
 * Loads the campaign, unless the browser has a draft of changes to it. Returns functions that load and save
 * the campaign.
 * @param {string} id
 */
function useCampaign(id) {
  const { route } = useLocation();
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const [isBusy, setIsBusy] = useState(false);
  const path = { asset_id: id };
  const attempt = async (/** @type {() => Promise<void>} */ run) => {
    setIsBusy(true);
    setError(null);
    await run().catch(setError);
    setIsBusy(false);
  };
  const load = () => attempt(async () => {
    const { body: { data: asset }, headers } = await call('read_campaign', { path });
    const ids = asset.spots.map(({ display_id: display }) => display);
    await lookUp('displays', ids);
    const records = [...new Set(ids)].flatMap((display) => sites.displays.value.get(display)?.record ?? []);
    changeCampaign({ asset, etag: headers.get('ETag') ?? '', displays: records.map(ofLookup) });
  });
  const save = () => attempt(async () => {
    const { spots } = campaignBody(filledForm());
    const headers = { 'If-Match': base.value?.etag ?? '' };
    const { body: { data, meta } } = await call('edit_campaign', { path, headers, body: { spots } });
    keepWarnings(data.asset_id, meta.warnings ?? []);
    route(pageUrl(`campaigns/${id}`));
    startOver();
  });
  useEffect(() => {
    if (!base.value) load();
  }, [id]);
  return { error, isBusy, load, save };
}
