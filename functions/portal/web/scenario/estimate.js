// Requests estimates of campaigns, and keeps the last estimate of each campaign.

import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { whenOrganizationChanges } from '../api/account.js';
import { call } from '../api/client.js';
import { DAY } from '../ui/days.js';
import { campaignBody, campaignFaults } from './campaign-form.js';
import { emptyCustomer } from './customer.js';

/** @typedef {import('./campaign-form.js').CampaignDraft} CampaignDraft */
/** @typedef {import('../api/types').Answer<'estimate_campaign'>} Estimate */

/** The longest flight that can be estimated, in days. */
const MOST_DAYS = 366;
/** The advertiser in a request. Estimates require an advertiser but don't use or store it. */
const NO_ADVERTISER = { ...emptyCustomer(), customer_id: '0', customer_scenario_id: 'estimate' };

/** The last estimate of each campaign and of the planner's plan, with the request that returned it. */
const estimates = signal(/** @type {Map<string, {asked: string, estimate: Estimate}>} */ (new Map()));

whenOrganizationChanges(() => {
  estimates.value = new Map();
});

/**
 * Returns the last estimate of a campaign, and a function that estimates the campaign.
 * @param {string} owner the ID of a campaign, or another key for a plan that isn't saved
 * @param {CampaignDraft} draft
 */
export function useEstimate(owner, draft) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const last = estimates.value.get(owner);
  const run = async () => {
    setIsBusy(true);
    setError(null);
    const body = bodyOf(draft);
    // The call isn't aborted when the page closes, because the estimate would be charged anyway.
    await call('estimate_campaign', { body }).then((answer) => {
      keep(owner, { asked: JSON.stringify(body), estimate: answer.body });
    }, setError);
    setIsBusy(false);
  };
  const isStale = last !== undefined && last.asked !== JSON.stringify(bodyOf(draft));
  return { estimate: last?.estimate ?? null, isStale, isBusy, error, run };
}

/**
 * Returns the errors that a person must fix before the campaign can be estimated.
 * @param {CampaignDraft} draft
 */
export function estimateFaults(draft) {
  const { start_date: start, end_date: end } = draft.flight;
  const isTooLong = Date.parse(end) - Date.parse(start) >= MOST_DAYS * DAY;
  return [
    ...campaignFaults({ ...draft, customer: NO_ADVERTISER }),
    ...(isTooLong ? [{ pointer: '/flight', detail: `shorten the flight to at most ${MOST_DAYS} days` }] : []),
  ];
}

/**
 * Returns the last estimate if the campaign hasn't changed since; otherwise null.
 * @param {string} owner
 * @param {CampaignDraft} draft
 */
export function currentEstimate(owner, draft) {
  const last = estimates.value.get(owner);
  return last?.asked === JSON.stringify(bodyOf(draft)) ? last.estimate : null;
}

/**
 * Assigns a plan's estimate to the campaign that the plan was saved as.
 * @param {string} from
 * @param {string} to
 */
export function moveEstimate(from, to) {
  const { [from]: last, ...others } = Object.fromEntries(estimates.value);
  if (last) estimates.value = new Map(Object.entries({ ...others, [to]: last }));
}

/** @param {CampaignDraft} draft */
function bodyOf(draft) {
  const { campaign, ...body } = campaignBody({ ...draft, customer: NO_ADVERTISER });
  return body;
}

/**
 * @param {string} owner
 * @param {{asked: string, estimate: Estimate}} last
 */
function keep(owner, last) {
  estimates.value = new Map(estimates.value).set(owner, last);
}
