// The differences between two places: figures for an average week, and demographics.

import { html } from 'htm/preact';
import { DifferenceTable } from '../../charts/difference-table.js';
import { number, percent } from '../../ui/format.js';
import { cohortName, cohorts } from './report.js';

/** @typedef {import('./report.js').Report} Report */

/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {(place: Report['places'][number]) => number | null} value null if it's unknown
 * @property {(value: number) => string} format
 * @property {(value: number) => string} [difference] the format of a difference; `format` by default
 */

/** @type {Figure[]} */
const FIGURES = [
  { name: 'Weekly visits', value: ({ visits }) => visits, format: number },
  { name: 'Weekly visitors', value: (place) => place.visits_unique_persons, format: number },
  { name: 'Visits per person', value: (place) => place.visits_frequency_per_person, format: decimal },
  { name: 'Average dwell time', value: (place) => place.visits_avg_dwell, format: minutes },
  { name: 'Visits by local residents', value: (place) => place.local_radius_visits_local / place.visits,
    format: percent, difference: points },
];

/**
 * Shows the figures of two places with their differences.
 * @param {{reports: [Report, Report], names: [string, string]}} props
 */
export function FigureDifferences({ reports, names }) {
  const rows = FIGURES.flatMap(({ name, value, ...formats }) => {
    const [first, second] = reports.map(({ places: [place] }) => value(place));
    return first === null || second === null ? [] : { key: name, name, values: [first, second], ...formats };
  });
  return html`
    <${DifferenceTable} caption="An average week" title="Figure" names=${names} rows=${rows} />`;
}

/**
 * Shows the index of each cohort for two places with their differences.
 * @param {{reports: [Report, Report], names: [string, string], kind: string}} props
 */
export function IndexDifferences({ reports, names, kind }) {
  const [first, second] = reports.map((report) => cohorts(report, kind, reports[0]));
  const rows = first.flatMap(({ service_segment_id: key, description, index }) => {
    const other = second.find(({ service_segment_id: id }) => id === key);
    if (!other) return [];
    return { key, name: cohortName(description), values: [index, other.index], format: whole };
  });
  return html`
    <${DifferenceTable} caption=${`${kind}: index (nation = 100)`} title="Cohort" names=${names}
      rows=${rows} hasOneScale />`;
}

/** @param {number} value */
function whole(value) {
  return number(Math.round(value));
}

/** @param {number} share */
function points(share) {
  return `${(100 * share).toFixed(1)} points`;
}

/** @param {number} value */
function decimal(value) {
  return value.toFixed(2);
}

/** @param {number} value */
function minutes(value) {
  return `${value.toFixed(0)} min`;
}
