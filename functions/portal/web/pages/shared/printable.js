// The texts of a campaign that a client views, and the campaign's printed page.

import { count, date, number } from '../../ui/format.js';
import { faceSize } from '../../ui/units.js';
import { displayNotes } from '../../scenario/modelled.js';

/** @typedef {import('../../api/types').Schema<'ClientDisplay'>} ClientDisplay */
/** @typedef {import('../../api/types').Schema<'ClientReport'>} Report */

/**
 * Returns the printed page of the campaign.
 * @param {import('../../api/types').Answer<'read_client_campaign'>} body
 * @returns {import('../../scenario/print.js').Printable}
 */
export function printableOf({ data: { name, flight, displays, unknown_displays: unknown, report }, meta }) {
  const title = name ?? 'Campaign';
  const notes = displayNotes(meta.provenance);
  const hasRates = displays.some(({ rate }) => rate);
  const facts = [
    ['First day', date(flight.start_date)], ['Last day', date(flight.end_date)],
    ['Displays', number(displays.length + unknown)],
    ...(report ? resultsOf(report) : [['Results', 'No results yet']]),
  ];
  const rows = displays.map((display) => [
    nameOf(display), addressOf(display), sizeOf(display), ...(hasRates ? [rateOf(display)] : []),
  ]);
  return {
    title, flight,
    sheets: [
      {
        name: 'Campaign', notes: [title, ...(report ? [aboutResults(report)] : [])],
        titles: ['Field', 'Value'], rows: facts,
      },
      {
        name: 'Displays', notes, rows,
        titles: ['Display', 'Address', 'Size', ...(hasRates ? ['Rate'] : [])],
      },
    ],
  };
}

/**
 * Describes the results: the last day, the method, and whether the campaign is still running.
 * @param {Report} report
 */
export function aboutResults({ status, through_date: through }) {
  const running = status === 'provisional' ? ' The campaign is still running.' : '';
  return `Results through ${date(through)}, estimated with a model, not measured.${running}`;
}

/**
 * Returns the labels and values of the results.
 * @param {Report} report
 * @returns {[string, string][]}
 */
export function resultsOf({ results: { totals } }) {
  const { reach_low: low, reach_high: high } = totals;
  return [
    ['Impressions', number(totals.impressions)], ['Reach', `${number(totals.reach)} people`],
    ...(low === null ? [] : /** @type {[string, string][]} */ ([
      ['Reach range', `${number(low)} – ${number(high)}`]])),
    ['Frequency', number(totals.frequency)], ['TRP', number(totals.trp)],
  ];
}

/** @param {ClientDisplay} display */
export function nameOf({ name }) {
  return name ?? 'Display';
}

/** @param {ClientDisplay} display */
export function addressOf({ address: { street, county, zip_code: zip } }) {
  return [street, county, zip].filter(Boolean).join(', ');
}

/** @param {ClientDisplay} display */
export function sizeOf({ size }) {
  return size ? faceSize(size) : '–';
}

/** @param {ClientDisplay} display */
export function rateOf({ rate }) {
  if (rate?.amount === undefined) return '–';
  const weeks = rate.weeks === undefined ? '' : ` for ${count(rate.weeks, 'week')}`;
  return `${rate.currency ?? ''} ${number(rate.amount)}${weeks}`.trim();
}
