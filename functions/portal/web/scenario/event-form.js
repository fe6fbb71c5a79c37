// The form of an event: its fields as typed, with times in the event's time zone.

import { CUSTOMER_POINTERS, emptyCustomer } from './customer.js';
import { IMPLAUSIBLE, checks, filled, isPlausible, texts } from './draft.js';
import { clockTime, isZone, momentOf } from './zone.js';

/** @typedef {import('../api/types').Schema<'EventAsset'>} EventAsset */
/** @typedef {import('../api/types').Schema<'EventAssetCreateRequest'>} EventBody */
/** @typedef {import('../api/errors.js').Violation} Violation */

/**
 * A period. The times are local times in the event's time zone, without an offset.
 * @typedef {{period_name: string, start_time: string, end_time: string}} PeriodDraft
 */

/**
 * @typedef {object} EventDraft
 * @property {string} name
 * @property {string} description
 * @property {PeriodDraft[]} periods
 * @property {string} timezone
 * @property {string[]} place_ids
 * @property {{geography_ids: string[], service_segment_id: string}} cohort
 * @property {import('./customer.js').CustomerDraft} customer
 */

/** The JSON pointers of the form's fields; `*` is any position in an array. */
export const EVENT_FIELDS = [
  '/name', '/description', '/periods', '/periods/*', '/periods/*/period_name', '/periods/*/start_time',
  '/periods/*/end_time', '/timezone', '/place_ids', '/cohort/geography_ids', '/cohort/service_segment_id',
  ...CUSTOMER_POINTERS,
];

/** The maximum number of places in an event. */
const MOST_PLACES = 2000;

/**
 * Returns an empty form with the browser's time zone.
 * @returns {EventDraft}
 */
export function emptyEvent() {
  return {
    name: '',
    description: '',
    periods: [],
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    place_ids: [],
    cohort: { geography_ids: [], service_segment_id: '' },
    customer: emptyCustomer(),
  };
}

/**
 * Returns a form that contains an event's data.
 * @param {EventAsset} asset
 * @returns {EventDraft}
 */
export function eventDraft(asset) {
  const { name = '', description = '', periods, timezone, place_ids: places, cohort, customer } = asset;
  return {
    name,
    description,
    periods: periods.map(({ period_name: called, start_time: start, end_time: end }) => ({
      period_name: called, start_time: clockTime(start, timezone), end_time: clockTime(end, timezone),
    })),
    timezone,
    place_ids: [...places],
    cohort: structuredClone(cohort),
    customer: texts(emptyCustomer(), customer),
  };
}

/**
 * Converts a form to a request body, without empty optional members.
 * @param {EventDraft} draft a form without errors
 * @returns {EventBody}
 */
export function eventBody({ name, description, periods, timezone, place_ids: places, cohort, customer }) {
  const { customer_id: id, customer_scenario_id: scenario, ...rest } = customer;
  return {
    ...filled({ name, description }),
    periods: periods.map(({ period_name: called, start_time: start, end_time: end }) => ({
      period_name: called, start_time: momentOf(start, timezone), end_time: momentOf(end, timezone),
    })),
    timezone,
    place_ids: places,
    cohort,
    customer: { customer_id: id, customer_scenario_id: scenario, ...filled(rest) },
  };
}

/**
 * Returns the errors that a person must fix before the form is sent.
 * @param {EventDraft} draft
 * @returns {Violation[]}
 */
export function eventFaults({ periods, timezone, place_ids: places, cohort, customer }) {
  const { faults, need } = checks();
  need(isZone(timezone), '/timezone', 'choose a time zone such as America/New_York');
  need(periods.length > 0, '/periods', 'add at least one period');
  periods.forEach(({ start_time: start, end_time: end }, n) => {
    need(start !== '', `/periods/${n}/start_time`, 'choose a start time');
    need(end !== '', `/periods/${n}/end_time`, 'choose an end time');
    need(isPlausible(start), `/periods/${n}/start_time`, IMPLAUSIBLE);
    need(isPlausible(end), `/periods/${n}/end_time`, IMPLAUSIBLE);
    need(!start || !end || start < end, `/periods/${n}/end_time`, 'must be after the start');
  });
  need(places.length > 0, '/place_ids', 'select at least one place');
  need(places.length <= MOST_PLACES, '/place_ids', `select at most ${MOST_PLACES} places`);
  need(cohort.geography_ids.length > 0, '/cohort/geography_ids', 'choose at least one market');
  need(cohort.service_segment_id !== '', '/cohort/service_segment_id', 'choose an audience');
  need(customer.customer_id !== '', '/customer/customer_id', 'enter an advertiser ID');
  need(customer.customer_scenario_id !== '', '/customer/customer_scenario_id', 'enter an external ID');
  return faults;
}
