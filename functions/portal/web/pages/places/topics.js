// The pictures of a report, one topic after the other; of two places each topic stands side by side.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { BarTable } from '../../charts/bar-table.js';
import { HeatMap } from '../../charts/heat-map.js';
import { IndexBars } from '../../charts/index-bars.js';
import { Failure } from '../../ui/failure.js';
import { Loading } from '../../ui/loading.js';
import { number, percent } from '../../ui/format.js';
import { Origins } from './origins.js';
import { categories, cohortName, cohorts, dwell, HOURS, isUnmeasured, week } from './report.js';

/** @typedef {import('./place.js').Side} Side */
/** @typedef {import('./report.js').Report} Report */

/**
 * Shows hours, stay, cohorts and origins of one place or two.
 * @param {{sides: Side[]}} props
 */
export function Topics({ sides }) {
  const reports = sides.flatMap(({ report }) => (report ? [report] : []));
  const kinds = reports.length > 0 ? categories(reports[0]) : [];
  const [chosen, setChosen] = useState('Age');
  const kind = kinds.includes(chosen) ? chosen : kinds[0];
  const ofHours = Math.max(0, ...reports.flatMap((report) => week(report).flatMap(({ values }) => values)));
  const ofDwell = Math.max(0, ...reports.flatMap((report) => dwell(report).map(({ share }) => share)));
  const ofIndex = Math.max(0, ...reports.flatMap((report) => cohorts(report, kind).map(({ index }) => index)));
  const both = (/** @type {(report: Report, name: string) => any} */ draw) => html`
    <div class=${`sides of-${sides.length}`}>
      ${sides.map((side) => html`<${Panel} key=${side.id} side=${side} isNamed=${sides.length > 1} draw=${draw} />`)}
    </div>`;
  return html`
    <div class=${`topics of-${sides.length}`}>
      <section><h2>When they come</h2>${both((report, name) => hours(report, name, ofHours))}</section>
      <section><h2>How long they stay</h2>${both((report, name) => stay(report, name, ofDwell))}</section>
      <section>
        <h2>Who they are</h2>
        <${Kinds} kinds=${kinds} kind=${kind} onChoose=${setChosen} />
        ${both((report, name) => people(cohorts(report, kind, reports[0]), kind, name, ofIndex))}
      </section>
      <section><h2>Where they live</h2>${both((report, name) => html`<${Origins} report=${report} name=${name} />`)}</section>
    </div>`;
}

/** @param {{side: Side, isNamed: boolean, draw: (report: Report, name: string) => any}} props */
function Panel({ side, isNamed, draw }) {
  const name = side.place?.place_name ?? side.id;
  return html`
    <div class="card">
      ${isNamed && html`<h3>${name}</h3>`}
      ${side.report
        ? draw(side.report, name)
        : isUnmeasured(side.error)
          ? html`<p>There is no record of visits for this place.</p>`
          : side.error
            ? html`<${Failure} error=${side.error} retry=${side.retry} />`
            : html`<${Loading} what="the report" />`}
    </div>`;
}

/**
 * @param {Report} report
 * @param {string} name
 * @param {number} most
 */
function hours(report, name, most) {
  const rows = week(report);
  const total = report.places[0].visits;
  const describe = (/** @type {number} */ row, /** @type {number} */ column) => {
    const visits = rows[row].values[column];
    const end = String(column + 1).padStart(2, '0');
    return `${rows[row].name} ${HOURS[column]}:00–${end}:00: ${number(Math.round(visits))} visits, ${percent(visits / total)} of the week`;
  };
  return html`
    <${HeatMap} caption=${`${number(total)} visits of an average week by day and hour`} of=${name} corner="Day" columns=${HOURS}
      rows=${rows.map((row) => ({ ...row, name: row.name.slice(0, 3) }))} every=${3} most=${most} unit="visits in the hour"
      describe=${describe} />
    ${report.constants_of_type.includes('days') && html`<${Typical} what="The hours" />`}`;
}

/**
 * @param {Report} report
 * @param {string} name
 * @param {number} most
 */
function stay(report, name, most) {
  const bars = dwell(report).map(({ name: length, share }) => ({
    key: length, name: length, value: share, cells: [percent(share)],
  }));
  return html`
    <${BarTable} caption="Visits by their length" of=${name} titles=${['Stay', 'Share of visits, from 0', 'Share']} bars=${bars}
      most=${most} />
    ${report.constants_of_type.includes('dwell') && html`<${Typical} what="The lengths" />`}`;
}

/**
 * @param {import('./report.js').Segment[]} segments
 * @param {string} kind
 * @param {string} name
 * @param {number} most
 */
function people(segments, kind, name, most) {
  const rows = segments.map(({ service_segment_id: key, description, index, percent: share }) => ({
    key, name: cohortName(description), index, share: percent(share),
  }));
  return html`
    <${IndexBars} caption=${`${kind}: index against the nation, which is 100`} of=${name} rows=${rows} most=${most}
      shareTitle="Share" />`;
}

/** @param {{kinds: string[], kind: string, onChoose: (kind: string) => void}} props */
function Kinds({ kinds, kind, onChoose }) {
  if (kinds.length === 0) return null;
  return html`
    <p><label>Cohorts by <select value=${kind} onInput=${(/** @type {any} */ event) => onChoose(event.target.value)}>
      ${kinds.map((one) => html`<option value=${one}>${one}</option>`)}
    </select></label></p>`;
}

/** @param {{what: string}} props */
function Typical({ what }) {
  return html`<p><small>${what} are typical of the place's type: the model knows no better. Compare no places by them.</small></p>`;
}
