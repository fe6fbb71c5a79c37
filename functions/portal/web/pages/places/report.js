// Converts the data of a place report to the formats that the charts use.

import { ApiError } from '../../api/errors.js';

/** @typedef {import('../../api/types').Answer<'report_places'>} Report */
/** @typedef {import('../../api/types').Schema<'ReportedSegment'>} Segment */
/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */

/**
 * A place on the page and its report.
 * @typedef {object} Side
 * @property {string} id
 * @property {FoundPlace | null} place
 * @property {Report | null} report
 * @property {Error | null} error the error that prevented the report from loading
 * @property {() => void} retry
 */

const DAYS = {
  mo: 'Monday', tu: 'Tuesday', we: 'Wednesday', th: 'Thursday', fr: 'Friday', sa: 'Saturday', su: 'Sunday',
};

const HOUR = new Intl.DateTimeFormat(undefined, { hour: 'numeric', timeZone: 'UTC' });

/** The names of a day's 24 hours in the browser's locale, such as `6 PM`. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => hourName(hour));

const DWELL = /** @type {const} */ ([
  ['persons_000_030min', 'Under 30 min'],
  ['persons_030_060min', '30–60 min'],
  ['persons_060_120min', '1–2 h'],
  ['persons_120_240min', '2–4 h'],
  ['persons_240_plus', 'Over 4 h'],
]);

/** The explanation of weekly visits, wherever they're shown. */
export const WEEKLY_VISITS =
  'Visits in an average week: a year’s visits divided by 52.18. They’re modelled unless the place was measured.';

/**
 * Returns the number of visits in each hour of the week, which is the day's visits multiplied by the hour's
 * share.
 * @param {Report} report
 * @returns {{name: string, values: number[]}[]} the days, starting with Monday, with 24 values each
 */
export function week({ days }) {
  return days.map(({ day, visits, hours }) => ({
    name: DAYS[day], values: hours.map((share) => share * visits),
  }));
}

/**
 * Returns the share of visits in each range of dwell times, shortest first.
 * @param {Report} report
 * @returns {{name: string, share: number}[]}
 */
export function dwell(report) {
  return DWELL.map(([member, name]) => ({ name, share: report.dwell[member] }));
}

/**
 * Returns the categories of a report's cohorts in the same order as in the report, without `Everyone`.
 * @param {Report} report
 */
export function categories({ segments }) {
  return [...new Set(segments.map(({ category }) => category))].filter((name) => name !== 'Everyone');
}

/**
 * Returns the cohorts of a category, sorted by their index in the first report, highest first.
 * @param {Report} report
 * @param {string} category
 * @param {Report} [first] the report that determines the order, so that the rows of two reports match
 * @returns {Segment[]}
 */
export function cohorts(report, category, first = report) {
  const of = ({ segments } = report) => segments.filter((segment) => segment.category === category);
  const order = of(first).sort((a, b) => b.index - a.index).map(({ service_segment_id: id }) => id);
  const position = (/** @type {Segment} */ { service_segment_id: id }) =>
    order.includes(id) ? order.indexOf(id) : order.length;
  return of().sort((a, b) => position(a) - position(b));
}

/**
 * Returns a cohort's name without the text that repeats its category.
 * @param {string} description such as `Households with income 200K+ (persons = …)`
 */
export function cohortName(description) {
  return description.replace(/^Households with income /, '').replace(/ \(persons = .*\)$/, '');
}

/**
 * Returns whether the report is missing because the place has no visit data.
 * @param {Error | null} error
 */
export function isUnmeasured(error) {
  return error instanceof ApiError && error.status === 404;
}

/**
 * Returns the name of an hour in the browser's locale, such as `6 PM`.
 * @param {number} hour from 0 to 24
 */
export function hourName(hour) {
  return HOUR.format(Date.UTC(2027, 0, 1, hour));
}
