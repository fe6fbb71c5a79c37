// The steps of the plan's form. A closed step shows a summary of its values instead of its fields.

import { html } from 'htm/preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { count, date } from '../../ui/format.js';

/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */
/** @typedef {import('../../scenario/violations.js').Notes} Notes */
/** @typedef {import('../../api/errors.js').Violation} Violation */
/** @typedef {keyof typeof STEPS} StepName */

/** The steps in order, each with the members of the campaign that its fields set. */
const STEPS = {
  dates: { title: 'Name and dates', members: ['/campaign', '/flight'], summary: datesOf },
  audience: { title: 'Audience and markets', members: ['/cohort'], summary: audienceOf },
  advertiser: { title: 'Advertiser', members: ['/customer'], summary: advertiserOf },
};

/**
 * Returns the first step with missing or invalid values; null if there is none.
 * @param {Violation[]} faults
 * @returns {StepName | null}
 */
export function nextStep(faults) {
  const names = /** @type {StepName[]} */ (Object.keys(STEPS));
  return names.find((name) => isIn(name, faults)) ?? null;
}

/**
 * Shows a step. It opens automatically when it's the next one to fill in or when it has an error. Only the
 * person can close it.
 * @param {{name: StepName, draft: CampaignDraft, next: StepName | null, errors: Violation[],
 *   children?: any}} props `errors` are the errors that the form shows
 */
export function PlanStep({ name, draft, next, errors, children }) {
  const details = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  const mustOpen = name === next || isIn(name, errors);
  useLayoutEffect(() => {
    if (mustOpen && details.current) details.current.open = true;
  }, [mustOpen, errors]);
  const { title, summary } = STEPS[name];
  return html`
    <details ref=${details} class="plan-step">
      <summary><h3>${title}</h3><span class="soft">${summary(draft)}</span></summary>
      ${children}
    </details>`;
}

/**
 * @param {StepName} name
 * @param {Violation[]} faults
 */
function isIn(name, faults) {
  return faults.some(({ pointer }) => STEPS[name].members.some((member) => pointer.startsWith(member)));
}

/** @param {CampaignDraft} draft */
function datesOf({ campaign, flight }) {
  const { start_date: first, end_date: last } = flight;
  const days = first && last ? `${date(first)} – ${date(last)}` : 'No dates yet';
  return campaign.name ? `${campaign.name}, ${days}` : days;
}

/** @param {CampaignDraft} draft */
function audienceOf({ cohort: { service_segment_ids: segments, geography_ids: markets } }) {
  if (segments.length === 0) return 'No audience yet';
  return `${count(segments.length, 'audience')} in ${count(markets.length, 'market')}`;
}

/** @param {CampaignDraft} draft */
function advertiserOf({ customer }) {
  return customer.customer_name || customer.customer_id || 'No advertiser yet';
}
