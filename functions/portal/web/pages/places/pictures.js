// The charts of a place report: visits by hour, by dwell time, by cohort, and by week.

import { html } from 'htm/preact';
import { BarTable } from '../../charts/bar-table.js';
import { Columns } from '../../charts/columns.js';
import { HeatMap } from '../../charts/heat-map.js';
import { IndexBars } from '../../charts/index-bars.js';
import { date, number, percent } from '../../ui/format.js';
import { cohortName, dwell, hourName, HOURS, week } from './report.js';

/** @typedef {import('./report.js').Report} Report */

/**
 * Shows visits by hour of the week.
 * @param {{report: Report, name: string, most: number}} props
 */
export function Hours({ report, name, most }) {
  const rows = week(report);
  const total = report.places[0].visits;
  const describe = (/** @type {number} */ row, /** @type {number} */ column) => {
    const visits = rows[row].values[column];
    const count = `${number(Math.round(visits))} visits, ${percent(visits / total)} of the week`;
    return `${rows[row].name} ${hourName(column)}–${hourName(column + 1)}: ${count}`;
  };
  return html`
    <${HeatMap} caption=${`${number(total)} visits in an average week by day and hour`} of=${name}
      corner="Day" columns=${HOURS} every=${6} most=${most} unit="visits per hour" describe=${describe}
      rows=${rows.map((row) => ({ ...row, name: row.name.slice(0, 3) }))} />
    <${Typical} report=${report} member="days" what="Hours" />`;
}

/**
 * Shows visits by dwell time.
 * @param {{report: Report, name: string, most: number}} props
 */
export function Stay({ report, name, most }) {
  const bars = dwell(report).map(({ name: length, share }) => ({
    key: length, name: length, value: share, cells: [percent(share)],
  }));
  return html`
    <${BarTable} caption="Visits by dwell time" of=${name} bars=${bars} most=${most}
      titles=${['Dwell time', 'Share of visits, from 0', 'Share']} />
    <${Typical} report=${report} member="dwell" what="Dwell times" />`;
}

/**
 * Shows each cohort's index, which compares the place's visitors with the nation's population.
 * @param {{segments: import('./report.js').Segment[], kind: string, name: string, most: number}} props
 */
export function People({ segments, kind, name, most }) {
  const rows = segments.map(({ service_segment_id: key, description, index, percent: share }) => ({
    key, name: cohortName(description), index, share: percent(share),
  }));
  return html`
    <${IndexBars} caption=${`${kind}: index (nation = 100)`} of=${name} rows=${rows}
      most=${most} shareTitle="Share" />`;
}

/**
 * Shows the visits that were counted in past weeks and years.
 * @param {{report: Report, name: string, most: number}} props
 */
export function History({ report, name, most }) {
  const { week: weeks, year: years } = report.history;
  if (weeks.length + years.length === 0) {
    return html`<p>Past visits to this place haven’t been counted.</p>`;
  }
  const columns = weeks.map(({ id: key, week_start: start, visits: value }) => ({
    key, name: date(start), value,
  }));
  return html`
    ${columns.length > 0 && html`
      <${Columns} caption="Visits by week, starting Monday" of=${name} period="Week" unit="visits"
        columns=${columns} most=${most} />`}
    ${years.length > 0 && html`
      <p>${years.map(({ id, visits }) => `${number(visits)} visits in ${id}`).join(' · ')}</p>`}
    ${report.places[0].maturity !== 'production' && html`
      <p><small>Computed from a count, such as twice the passengers who boarded at an airport.</small></p>`}`;
}

/** @param {{report: Report, member: Report['constants_of_type'][number], what: string}} props */
function Typical({ report, member, what }) {
  if (!report.constants_of_type.includes(member)) return null;
  return html`
    <p><small>${what} are the same for all places of this type and brand. Don’t use them to
      compare places.</small></p>`;
}
