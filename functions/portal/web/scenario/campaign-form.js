// The form of a campaign: its fields as typed, and their conversion to a request body.

import { CUSTOMER_POINTERS, emptyCustomer } from './customer.js';
import { IMPLAUSIBLE, checks, filled, isPlausible, texts } from './draft.js';

/** @typedef {import('../api/types').Schema<'CampaignAsset'>} CampaignAsset */
/** @typedef {import('../api/types').Schema<'CampaignAssetCreateRequest'>} CampaignBody */
/** @typedef {import('../api/types').Schema<'CampaignSpotInput'>} Spot */
/** @typedef {import('../api/errors.js').Violation} Violation */

/**
 * @typedef {object} CampaignDraft
 * @property {{name: string, reference: string}} campaign
 * @property {{start_date: string, end_date: string}} flight
 * @property {Spot[]} spots
 * @property {{geography_ids: string[], service_segment_ids: string[], service_base_segment_id: string,
 *   measures_release?: number | null}} cohort
 * @property {import('./customer.js').CustomerDraft} customer
 */

/** The JSON pointers of the form's fields; `*` is any position in an array. */
export const CAMPAIGN_FIELDS = [
  '/campaign/name', '/campaign/reference', '/flight', '/flight/start_date', '/flight/end_date', '/spots',
  '/spots/*', '/spots/*/windows', '/cohort/geography_ids', '/cohort/service_segment_ids',
  '/cohort/service_base_segment_id', ...CUSTOMER_POINTERS,
];

/** The maximum number of spots in a campaign. */
export const MAX_SPOTS = 2000;

/**
 * Returns an empty form.
 * @returns {CampaignDraft}
 */
export function emptyCampaign() {
  return {
    campaign: { name: '', reference: '' },
    flight: { start_date: '', end_date: '' },
    spots: [],
    cohort: { geography_ids: [], service_segment_ids: [], service_base_segment_id: '' },
    customer: emptyCustomer(),
  };
}

/**
 * Returns a form that contains a campaign's data.
 * @param {CampaignAsset} asset
 * @returns {CampaignDraft}
 */
export function campaignDraft({ campaign, flight, spots, cohort, customer }) {
  const empty = emptyCampaign();
  return {
    campaign: texts(empty.campaign, campaign),
    flight: { ...flight },
    spots: structuredClone(spots),
    cohort: structuredClone(cohort),
    customer: texts(empty.customer, { ...customer, customer_id: String(customer.customer_id) }),
  };
}

/**
 * Converts a form to a request body, without empty optional members.
 * @param {CampaignDraft} draft a form without errors
 * @returns {CampaignBody}
 */
export function campaignBody({ campaign, flight, spots, cohort, customer }) {
  const { name, reference } = filled(campaign);
  const { customer_scenario_info: info, ...ids } = customer;
  return {
    ...(name || reference ? { campaign: filled(campaign) } : {}),
    flight,
    spots: spots.map(({ windows, ...spot }) => (windows?.length ? { ...spot, windows } : spot)),
    cohort,
    customer: { ...ids, customer_id: Number(ids.customer_id), ...filled({ customer_scenario_info: info }) },
  };
}

/**
 * Returns the errors that a person must fix before the form is sent.
 * @param {CampaignDraft} draft
 * @returns {Violation[]}
 */
export function campaignFaults({ flight, spots, cohort, customer }) {
  const { faults, need } = checks();
  need(flight.start_date !== '', '/flight/start_date', 'choose the first day');
  need(flight.end_date !== '', '/flight/end_date', 'choose the last day');
  need(isPlausible(flight.start_date), '/flight/start_date', IMPLAUSIBLE);
  need(isPlausible(flight.end_date), '/flight/end_date', IMPLAUSIBLE);
  const isInOrder = !flight.end_date || flight.start_date <= flight.end_date;
  need(isInOrder, '/flight/end_date', 'must not be before the first day');
  need(spots.length > 0, '/spots', 'select at least one display');
  need(spots.length <= MAX_SPOTS, '/spots', `select at most ${MAX_SPOTS} displays`);
  spots.forEach(({ windows }, n) => {
    need((windows ?? []).every(isPeriod), `/spots/${n}/windows`, 'each window needs a first and a last day');
  });
  need(cohort.geography_ids.length > 0, '/cohort/geography_ids', 'choose at least one market');
  need(cohort.service_segment_ids.length > 0, '/cohort/service_segment_ids', 'choose an audience');
  const base = cohort.service_base_segment_id;
  need(base !== '', '/cohort/service_base_segment_id', 'choose a baseline');
  const id = customer.customer_id.trim();
  const isWhole = /^-?\d+$/.test(id) && Number.isSafeInteger(Number(id));
  need(isWhole, '/customer/customer_id', 'enter a whole number');
  need(customer.customer_scenario_id !== '', '/customer/customer_scenario_id', 'enter an external ID');
  return faults;
}

/** @param {{start_date: string, end_date: string}} window */
function isPeriod({ start_date: start, end_date: end }) {
  return start !== '' && end !== '' && start <= end && isPlausible(start) && isPlausible(end);
}
