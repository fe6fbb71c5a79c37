// Converts the parts of an asset to text, so that two versions can be compared.

import { cohortName } from '../../scenario/cohorts.js';
import { CUSTOMER_FIELDS } from '../../scenario/customer.js';
import { marketName } from '../../scenario/markets.js';
import { clock, count, date } from '../../ui/format.js';

/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */
/** @typedef {import('../../scenario/event-form.js').EventDraft} EventDraft */

/** A part of an asset, with its label and its content as lines of text. */
/** @typedef {{label: string, lines: string[]}} Part */

/**
 * @param {CampaignDraft} draft
 * @returns {Part[]}
 */
export function campaignParts({ campaign, flight, spots, cohort, customer }) {
  return [
    { label: 'Name', lines: [campaign.name] },
    { label: 'Reference', lines: [campaign.reference] },
    { label: 'First day', lines: [date(flight.start_date)] },
    { label: 'Last day', lines: [date(flight.end_date)] },
    { label: 'Displays', lines: spots.map(({ display_id: id, windows }) => `${id}${windowsOf(windows)}`) },
    { label: 'Audience', lines: cohort.service_segment_ids.map(cohortName) },
    { label: 'Baseline', lines: [cohortName(cohort.service_base_segment_id)] },
    { label: 'Markets', lines: cohort.geography_ids.map(marketName) },
    ...CUSTOMER_FIELDS.map(({ name, label }) => ({ label, lines: [customer[name]] })),
  ];
}

/**
 * @param {EventDraft} draft
 * @returns {Part[]}
 */
export function eventParts({ name, description, periods, timezone, place_ids: places, cohort, customer }) {
  return [
    { label: 'Name', lines: [name] },
    { label: 'Description', lines: [description] },
    { label: 'Time zone', lines: [timezone] },
    {
      label: 'Periods',
      lines: periods.map(({ period_name: called, start_time: start, end_time: end }) =>
        `${called}: ${clock(start)} – ${clock(end)}`),
    },
    { label: 'Places', lines: places },
    { label: 'Audience', lines: [cohortName(cohort.service_segment_id)] },
    { label: 'Markets', lines: cohort.geography_ids.map(marketName) },
    ...CUSTOMER_FIELDS.map(({ name: member, label }) => ({ label, lines: [customer[member]] })),
  ];
}

/** @param {import('../../api/types').Schema<'CampaignSpotWindow'>[] | null} [windows] */
function windowsOf(windows) {
  return windows?.length ? ` (${count(windows.length, 'window')})` : '';
}
