// The sheets of an estimate, for exports.

import { date } from '../ui/format.js';

/** @typedef {import('../ui/xlsx.js').Sheet} Sheet */

/**
 * Returns three sheets: by week, by market, and by number of contacts.
 * @param {import('./estimate.js').Estimate} estimate
 * @returns {Sheet[]}
 */
export function estimateSheets({ data, meta: { provenance } }) {
  const notes = [
    `Estimated with the model ${data.model}, not measured. Audience: ${data.cohort_description}`,
    `Source: ${provenance.source}`,
  ];
  const sheet = (/** @type {string} */ name, /** @type {string[]} */ titles,
    /** @type {(string | number | null)[][]} */ rows) =>
    ({ name, notes, titles, rows: rows.map((row) => row.map((value) => value ?? '')) });
  return [
    sheet('By week', ['Week', 'First day', 'Last day', 'Impressions', 'Cumulative reach'],
      data.weeks.map(({ week, start_date: start, end_date: end, impressions, cumulative_reach: reach }) =>
        [week, date(start), date(end), impressions, reach])),
    sheet('By market', ['Market', 'People in the audience', 'Target impressions', 'Reach', 'Lowest reach',
      'Highest reach', 'Frequency', 'TRP'],
      data.markets.map((market) => [market.description, market.target_persons, market.target_impressions,
        market.reach, market.reach_low, market.reach_high, market.frequency, market.trp])),
    sheet('By contacts', ['Minimum contacts', 'People'],
      data.frequency_distribution.map(({ contacts, reach }) => [contacts, reach])),
  ];
}
