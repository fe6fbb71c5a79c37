// The rows of a comparison of two plans, with their differences.

import { DAY } from '../../ui/days.js';
import { date, number, percent, signed } from '../../ui/format.js';

/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */
/** @typedef {import('../../scenario/estimate.js').Estimate} Estimate */

/** A row: the two values and their difference. */
/** @typedef {{name: string, cells: [string, string, string]}} Row */

/** The figures of an estimate, with their names. */
const FIGURES = /** @type {const} */ ([
  ['Impressions', 'impressions'], ['Target impressions', 'target_impressions'], ['Reach', 'reach'],
  ['Frequency', 'frequency'], ['TRP', 'trp'],
]);

/**
 * Returns the rows for two plans. The figures of a plan without an estimate are dashes.
 * @param {[CampaignDraft, CampaignDraft]} plans
 * @param {(Estimate | null)[]} estimates
 * @returns {Row[]}
 */
export function comparisonOf(plans, estimates) {
  const displays = plans.map(({ spots }) => new Set(spots.map(({ display_id: id }) => id)));
  const [one, other] = displays;
  const only = (/** @type {Set<string>} */ ids, /** @type {Set<string>} */ others) =>
    number([...ids].filter((id) => !others.has(id)).length);
  const totals = estimates.map((estimate) => estimate?.data.totals ?? null);
  return [
    { name: 'Flight', cells: [...texts(plans, flightOf), ''] },
    numbers('Days', plans.map(daysOf)),
    numbers('Displays', displays.map(({ size }) => size)),
    { name: 'Only in this plan', cells: [only(one, other), only(other, one), ''] },
    ...FIGURES.map(([name, key]) => numbers(name, totals.map((total) => total?.[key] ?? null))),
  ];
}

/**
 * Returns whether two plans measure the same audience in the same markets.
 * @param {CampaignDraft} one
 * @param {CampaignDraft} other
 */
export function isSameAudience(one, other) {
  const key = (/** @type {CampaignDraft} */ { cohort }) =>
    JSON.stringify([cohort.service_segment_ids[0], cohort.geography_ids.toSorted()]);
  return key(one) === key(other);
}

/**
 * Returns a row of two numbers and their difference (the first minus the second).
 * @param {string} name
 * @param {(number | null)[]} values
 * @returns {Row}
 */
function numbers(name, [one, other]) {
  const difference = one === null || other === null ? null : one - other;
  const plus = difference !== null && difference > 0 ? '+' : '';
  const share = difference !== null && other ? ` (${plus}${percent(difference / other)})` : '';
  return { name, cells: [number(one), number(other), `${signed(difference)}${share}`] };
}

/**
 * @param {[CampaignDraft, CampaignDraft]} plans
 * @param {(plan: CampaignDraft) => string} write
 * @returns {[string, string]}
 */
function texts([one, other], write) {
  return [write(one), write(other)];
}

/** @param {CampaignDraft} plan */
function flightOf({ flight: { start_date: start, end_date: end } }) {
  return start && end ? `${date(start)} – ${date(end)}` : '–';
}

/** @param {CampaignDraft} plan */
function daysOf({ flight: { start_date: start, end_date: end } }) {
  return start && end ? (Date.parse(end) - Date.parse(start)) / DAY + 1 : null;
}
