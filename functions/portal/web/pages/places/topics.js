// The charts of place reports, by topic. The charts of two places are side by side.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { Loading } from '../../ui/loading.js';
import { FigureDifferences, IndexDifferences } from './differences.js';
import { Origins } from './origins.js';
import { History, Hours, People, Stay } from './pictures.js';
import { categories, cohorts, dwell, week } from './report.js';

/** @typedef {import('./report.js').Side} Side */
/** @typedef {import('./report.js').Report} Report */
/** @typedef {(report: Report, name: string) => any} Draw */

/**
 * Shows the charts of one or two places. Shows nothing if no report could be loaded.
 * @param {{sides: Side[]}} props
 */
export function Topics({ sides }) {
  const reports = sides.flatMap(({ report }) => (report ? [report] : []));
  const kinds = reports.length > 0 ? categories(reports[0]) : [];
  const [chosen, setChosen] = useState('Age');
  if (sides.every(({ error, report }) => error && !report)) return null;
  const kind = kinds.includes(chosen) ? chosen : (kinds[0] ?? '');
  const most = mostOf(reports, kind);
  const compared = comparedOf(sides);
  return html`
    <div class=${`topics of-${sides.length}`}>
      ${compared && html`
        <section>
          <h2>Differences</h2>
          <div class="card"><${FigureDifferences} ...${compared} /></div>
        </section>`}
      <${Topic} title="Visit times" sides=${sides} draw=${/** @type {Draw} */ ((report, name) => html`
        <${Hours} report=${report} name=${name} most=${most.visits} />`)} />
      <${Topic} title="Dwell time" sides=${sides} draw=${/** @type {Draw} */ ((report, name) => html`
        <${Stay} report=${report} name=${name} most=${most.share} />`)} />
      <${Topic} title="Demographics" sides=${compared ? [] : sides} draw=${/** @type {Draw} */ ((report, name) => html`
        <${People} segments=${cohorts(report, kind, reports[0])} kind=${kind} name=${name}
          most=${most.index} />`)}>
        <${Kinds} kinds=${kinds} kind=${kind} onChoose=${setChosen} />
        ${compared && html`<div class="card"><${IndexDifferences} ...${compared} kind=${kind} /></div>`}
      <//>
      <${Topic} title="Origins" sides=${sides} draw=${/** @type {Draw} */ ((report, name) => html`
        <${Origins} report=${report} name=${name} />`)} />
      <${Topic} title="Past visits" sides=${sides} draw=${/** @type {Draw} */ ((report, name) => html`
        <${History} report=${report} name=${name} most=${most.ofWeek} />`)} />
    </div>`;
}

/** @param {{title: string, sides: Side[], draw: Draw, children?: any}} props */
function Topic({ title, sides, draw, children }) {
  return html`
    <section>
      <h2>${title}</h2>
      ${children}
      <div class=${`sides of-${sides.length}`}>
        ${sides.map((side) => html`
          <${Panel} key=${side.id} side=${side} isNamed=${sides.length > 1} draw=${draw} />`)}
      </div>
    </section>`;
}

/** @param {{side: Side, isNamed: boolean, draw: Draw}} props */
function Panel({ side, isNamed, draw }) {
  const name = side.place?.place_name ?? side.id;
  return html`
    <div class="card">
      ${isNamed && html`<h3>${name}</h3>`}
      ${side.report && draw(side.report, name)}
      ${!side.report && side.error && html`<p>No report available.</p>`}
      ${!side.report && !side.error && html`<${Loading} what="the report" />`}
    </div>`;
}

/** @param {{kinds: string[], kind: string, onChoose: (kind: string) => void}} props */
function Kinds({ kinds, kind, onChoose }) {
  if (kinds.length === 0) return null;
  return html`
    <p><label>Category <select value=${kind}
      onInput=${(/** @type {any} */ event) => onChoose(event.target.value)}>
      ${kinds.map((one) => html`<option value=${one}>${one}</option>`)}
    </select></label></p>`;
}

/**
 * Returns the reports and names of two places; null if there are fewer than two reports.
 * @param {Side[]} sides
 * @returns {{reports: [Report, Report], names: [string, string]} | null}
 */
function comparedOf([first, second]) {
  if (!first.report || !second?.report) return null;
  const name = ({ place, id } = first) => place?.place_name ?? id;
  return { reports: [first.report, second.report], names: [name(first), name(second)] };
}

/**
 * Returns the maximum of each axis across all reports, so that their charts have the same scale.
 * @param {Report[]} reports
 * @param {string} kind the category of cohorts in the chart
 */
function mostOf(reports, kind) {
  const most = (/** @type {(report: Report) => number[]} */ values) =>
    Math.max(0, ...reports.flatMap(values));
  return {
    visits: most((report) => week(report).flatMap(({ values }) => values)),
    share: most((report) => dwell(report).map(({ share }) => share)),
    index: most((report) => cohorts(report, kind).map(({ index }) => index)),
    ofWeek: most((report) => report.history.week.map(({ visits }) => visits)),
  };
}
