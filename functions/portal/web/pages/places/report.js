// A report's data in the formats of the charts.

import { ApiError } from '../../api/errors.js';

/** @typedef {import('../../api/types').Answer<'report_places'>} Report */
/** @typedef {import('../../api/types').Schema<'ReportedSegment'>} Segment */
/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */

/**
 * One of the page's places with its report.
 * @typedef {object} Side
 * @property {string} id
 * @property {FoundPlace | null} place
 * @property {Report | null} report
 * @property {Error | null} error why the report is missing
 * @property {() => void} retry
 */

const DAYS = {
  mo: 'Monday', tu: 'Tuesday', we: 'Wednesday', th: 'Thursday', fr: 'Friday', sa: 'Saturday', su: 'Sunday',
};

const HOUR = new Intl.DateTimeFormat(undefined, { hour: 'numeric', timeZone: 'UTC' });

/** The starts of a day's hours in the browser's locale, such as `6 PM`. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => hourName(hour));

const DWELL = /** @type {const} */ ([
  ['persons_000_030min', 'Under 30 min'],
  ['persons_030_060min', '30–60 min'],
  ['persons_060_120min', '1–2 h'],
  ['persons_120_240min', '2–4 h'],
  ['persons_240_plus', 'Over 4 h'],
]);

/**
 * Returns the visits of each hour of the week: a day's visits times the hour's share.
 * @param {Report} report
 * @returns {{name: string, values: number[]}[]} days from Monday, 24 hours each
 */
export function week({ days }) {
  return days.map(({ day, visits, hours }) => ({
    name: DAYS[day], values: hours.map((share) => share * visits),
  }));
}

/**
 * Returns the shares of visits by dwell time, shortest first.
 * @param {Report} report
 * @returns {{name: string, share: number}[]}
 */
export function dwell(report) {
  return DWELL.map(([member, name]) => ({ name, share: report.dwell[member] }));
}

/**
 * Returns the categories of a report's cohorts in order, without the one for everyone.
 * @param {Report} report
 */
export function categories({ segments }) {
  return [...new Set(segments.map(({ category }) => category))].filter((name) => name !== 'Everyone');
}

/**
 * Returns the cohorts of a category, highest index first.
 * @param {Report} report
 * @param {string} category
 * @param {Report} [first] sets the order, so that two reports line up
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
 * Returns whether there's no report because the place wasn't measured.
 * @param {Error | null} error
 */
export function isUnmeasured(error) {
  return error instanceof ApiError && error.status === 404;
}

/**
 * Returns the name of an hour in the browser's locale.
 * @param {number} hour 0 to 24
 */
export function hourName(hour) {
  return HOUR.format(Date.UTC(2027, 0, 1, hour));
}
