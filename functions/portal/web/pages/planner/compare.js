// The page that compares two plans. Each can be the plan in the planner, unsaved changes to a saved campaign,
// or a saved campaign.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { priceOf } from '../../api/operations.js';
import { useCall } from '../../api/use-call.js';
import { busyLabel } from '../../api/waiting.js';
import { pageUrl } from '../../addresses.js';
import { campaignDraft, emptyCampaign } from '../../scenario/campaign-form.js';
import { estimateFaults, useEstimate } from '../../scenario/estimate.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { count, sentence } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Modelled } from '../../ui/modelled.js';
import { Table } from '../../ui/table.js';
import { comparisonOf, isSameAudience } from './comparison.js';
import { changedCampaigns, planOf } from './plan.js';
import { draftOf } from './plan-draft.js';

/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */
/** @typedef {import('./comparison.js').Row} Row */
/** @typedef {ReturnType<typeof useSide>} Side */
/** @typedef {{value: string, name: string}} Option */

/**
 * The prefix of a plan's value in the address if the plan consists of unsaved changes to a saved campaign.
 */
const DRAFT = 'draft ';
/** The key of the current plan's estimate, as in the planner. */
const OWNER = 'plan';
/** The label of estimated figures. */
const ESTIMATED = 'Estimated with a model, not measured';
/** The maximum number of saved campaigns to choose from, newest first. */
const LISTED = 100;

export default function Compare() {
  const { query, route } = useLocation();
  const { options, list } = useOptions();
  const { plan = '', with: other = '' } = query;
  const sides = [useSide(plan), useSide(other)];
  const choose = (/** @type {Record<string, string>} */ part) => {
    const chosen = Object.entries({ plan, with: other, ...part }).filter(([, value]) => value !== '');
    route(pageUrl(`compare?${new URLSearchParams(chosen)}`));
  };
  const select = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ value) => {
    const isKnown = options.some((option) => option.value === value);
    return html`
      <${Field} label=${label}>
        <select value=${value}
          onChange=${(/** @type {any} */ event) => choose({ [name]: event.target.value })}>
          ${!isKnown && html`<option value=${value}>${value}</option>`}
          ${options.map((option) => html`<option value=${option.value}>${option.name}</option>`)}
        </select>
      <//>`;
  };
  return html`
    <h1>Compare plans</h1>
    <div class="pair">${select('plan', 'Plan', plan)} ${select('with', 'Compare with', other)}</div>
    <${Failure} error=${list.error} retry=${list.retry} />
    ${sides.map(({ error, retry }) => html`<${Failure} error=${error} retry=${retry} />`)}
    ${sides.some(({ isLoading }) => isLoading) && html`<${Loading} what="the plans" />`}
    ${plan === other ? html`<p>Choose two different plans.</p>` : html`<${Comparison} sides=${sides} />`}`;
}

/** @param {{sides: Side[]}} props */
function Comparison({ sides }) {
  const [one, other] = sides.map(({ draft }) => draft);
  if (!one || !other) {
    return sides.some(({ isMissing }) => isMissing) && html`
      <p>One of the plans isn’t stored in this browser.
        <a href=${pageUrl('planner')}>Plan a campaign</a></p>`;
  }
  const estimates = sides.map(({ estimate }) => estimate);
  const columns = [
    { title: 'Figure', cell: (/** @type {Row} */ row) => row.name },
    ...['Plan', 'Compared with', 'Difference'].map((title, n) => ({
      title, isNumber: true, cell: (/** @type {Row} */ { cells }) => cells[n],
    })),
  ];
  return html`
    <${Table} caption="The two plans" columns=${columns} rows=${comparisonOf([one, other], estimates)}
      keyOf=${(/** @type {Row} */ { name }) => name} />
    ${!isSameAudience(one, other) && html`
      <p class="warning">The plans have different audiences or markets, so their reach isn’t comparable.</p>`}
    ${estimates[0] && html`
      <${Modelled} provenance=${estimates[0].meta.provenance} label=${ESTIMATED} />`}
    <${Estimates} sides=${sides} />`;
}

/**
 * Shows the button that estimates those plans that don't have a current estimate.
 * @param {{sides: Side[]}} props
 */
function Estimates({ sides }) {
  const [isTried, setIsTried] = useState(false);
  const missing = sides.filter(({ estimate }) => estimate === null);
  const faults = sides.map(({ draft }) => (draft && isTried ? estimateFaults(draft) : []));
  const start = () => {
    setIsTried(true);
    for (const { draft, run } of missing) if (draft && estimateFaults(draft).length === 0) run();
  };
  if (missing.length === 0) return null;
  const isBusy = sides.some((side) => side.isBusy);
  const cost = count(missing.length * priceOf('estimate_campaign'), 'credit');
  const label = `Estimate ${missing.length === 2 ? 'both' : 'the other'} · ${cost}`;
  return html`
    ${faults.map((found, n) => found.length > 0 && html`
      <div class="failure" role="alert">
        <p>Before the ${n === 0 ? 'first' : 'second'} plan can be estimated:</p>
        <ul>${found.map(({ detail }) => html`<li>${sentence(detail)}</li>`)}</ul>
      </div>`)}
    <button type="button" class="primary" disabled=${isBusy} onClick=${start}>
      ${isBusy ? busyLabel('Estimating…') : label}
    </button>`;
}

/**
 * Loads one of the two plans, and returns it with its current estimate.
 * @param {string} value its value in the address
 */
function useSide(value) {
  const isSaved = value !== '' && !value.startsWith(DRAFT);
  const read = useCall('read_campaign', isSaved ? { path: { asset_id: value } } : null);
  const plan = isSaved ? null : planOf(value.slice(DRAFT.length));
  const asset = isSaved && read.body?.data.asset_id === value ? read.body.data : null;
  const draft = asset ? campaignDraft(asset) : plan && draftOf(plan);
  const { estimate, isStale, isBusy, error, run } = useEstimate(value || OWNER, draft ?? emptyCampaign());
  return {
    draft, estimate: isStale ? null : estimate, isBusy, run, isMissing: !isSaved && !plan,
    isLoading: isSaved && read.isLoading, error: (isSaved && read.error) || error,
    retry: isSaved && read.error ? read.retry : run,
  };
}

/** Loads the newest campaigns, and returns all plans that the person can choose from. */
function useOptions() {
  const fields = 'asset_id,campaign,customer';
  const list = useCall('list_campaigns', { query: { fields, limit: LISTED } });
  const saved = (list.body?.data ?? []).map((asset) => {
    const { asset_id: value = '', campaign, customer } = asset;
    return { value, name: campaign?.name || customer?.customer_scenario_name || value };
  });
  const names = new Map(saved.map(({ value, name }) => [value, name]));
  const drafts = changedCampaigns().map((id) => ({
    value: `${DRAFT}${id}`, name: `Unsaved changes to ${names.get(id) ?? id}`,
  }));
  /** @type {Option[]} */
  const options = [{ value: '', name: 'Current plan' }, ...drafts, ...saved];
  return { options, list };
}
