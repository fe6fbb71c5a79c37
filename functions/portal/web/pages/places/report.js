// What the pictures of a place are made of: a report's fields in the forms that charts take.

import { ApiError } from '../../api/errors.js';

/** @typedef {import('../../api/types').Answer<'report_places'>} Report */
/** @typedef {import('../../api/types').Schema<'ReportedSegment'>} Segment */
/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */

/**
 * One of the places of the page: who it is, and its report once it is there.
 * @typedef {object} Side
 * @property {string} id
 * @property {FoundPlace | null} place
 * @property {Report | null} report
 * @property {Error | null} error why there is no report
 * @property {() => void} retry
 */

const DAYS = {
  mo: 'Monday', tu: 'Tuesday', we: 'Wednesday', th: 'Thursday', fr: 'Friday', sa: 'Saturday', su: 'Sunday',
};

/** The hours of a day as their beginnings: `00` to `23`. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

const DWELL = /** @type {const} */ ([
  ['persons_000_030min', 'under 30 min'],
  ['persons_030_060min', '30–60 min'],
  ['persons_060_120min', '1–2 h'],
  ['persons_120_240min', '2–4 h'],
  ['persons_240_plus', 'over 4 h'],
]);

/**
 * Returns the visits of each hour of the week: the day's visits by the hour's share of them.
 * @param {Report} report
 * @returns {{name: string, values: number[]}[]} days from Monday on, 24 hours each
 */
export function week({ days }) {
  return days.map(({ day, visits, hours }) => ({
    name: DAYS[day], values: hours.map((share) => share * visits),
  }));
}

/**
 * Returns the shares of visits by their length, the shortest first.
 * @param {Report} report
 * @returns {{name: string, share: number}[]}
 */
export function dwell(report) {
  return DWELL.map(([member, name]) => ({ name, share: report.dwell[member] }));
}

/**
 * Returns the kinds of cohorts that a report has, in its order, but for the one that is everybody.
 * @param {Report} report
 */
export function categories({ segments }) {
  return [...new Set(segments.map(({ category }) => category))].filter((name) => name !== 'Everyone');
}

/**
 * Returns the cohorts of a kind, the highest index first.
 * @param {Report} report
 * @param {string} category
 * @param {Report} [first] whose order is taken instead, so that two reports can be read across
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
 * Says a cohort's name without what is the same for all of its kind.
 * @param {string} description such as `Households with income 200K+ (persons = …)`
 */
export function cohortName(description) {
  return description.replace(/^Households with income /, '').replace(/ \(persons = .*\)$/, '');
}

/**
 * Tells whether there is no report because the place was never measured.
 * @param {Error | null} error
 */
export function isUnmeasured(error) {
  return error instanceof ApiError && error.status === 404;
}
