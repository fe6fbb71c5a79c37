// Visitor origins: a map of counties, and a table of all areas in the report.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { BarTable } from '../../charts/bar-table.js';
import { codeOf } from '../../map/boundaries.js';
import { findMarkets } from '../../scenario/markets.js';
import { csv, provenanceColumns } from '../../ui/csv.js';
import { download } from '../../ui/download.js';
import { Failure } from '../../ui/failure.js';
import { count, number, percent } from '../../ui/format.js';
import { CLASSES, OriginsMap } from './origins-map.js';
import { prefixesOf } from './zip-prefixes.js';

/** @typedef {import('./report.js').Report} Report */
/** @typedef {import('../../api/types').Schema<'Market'>} Market */

const LEVELS = /** @type {const} */ ({
  county: 'County', postal_code: 'ZIP code', dma: 'TV market (DMA)', state: 'State',
});
/** @typedef {keyof typeof LEVELS} Level */

/** The number of rows that the table shows before "Show all" is clicked. */
const FIRST = 12;

/**
 * Shows the origins of a place's visitors.
 * @param {{report: Report, name: string}} props
 */
export function Origins({ report, name }) {
  const zips = useZipPoints(report);
  return html`
    <div class="origins">
      <div class="map-frame">
        <${OriginsMap} report=${report} points=${zips.points}
          label=${`Home counties of visitors to ${name}`} />
      </div>
      <${Legend} />
      <${ZipPoints} report=${report} zips=${zips} />
      <${Areas} report=${report} name=${name} />
    </div>`;
}

function Legend() {
  return html`
    <ol class="legend" aria-label="Share of visits by home county">
      ${CLASSES.map(({ title, opacity }) => html`
        <li>
          <i class="origin" style=${{ '--share': `${opacity * 100}%` }} aria-hidden="true"></i>${title}
        </li>`)}
      <li>of visits, by home county</li>
    </ol>`;
}

/** @param {{report: Report, zips: ReturnType<typeof useZipPoints>}} props */
function ZipPoints({ report, zips }) {
  const { points, error, isLoading, load } = zips;
  const visits = (/** @type {{weekly_visits: number}[]} */ areas) =>
    areas.reduce((sum, area) => sum + area.weekly_visits, 0);
  if (points) {
    const share = visits(points.map(({ area }) => area)) / visits(report.postal_code);
    return html`
      <p role="status"><small>Circles at population centers: ${count(points.length, 'ZIP code')}, with
        ${' '}${percent(share)} of visits.</small></p>`;
  }
  const calls = prefixesOf(report.postal_code).length;
  if (calls === 0) return null;
  return html`
    <${Failure} error=${error} />
    <p><button disabled=${isLoading} onClick=${load}>
      ${isLoading ? 'Looking up ZIP codes…' : `Show ZIP codes on the map · free, ${count(calls, 'call')}`}
    </button></p>`;
}

/** @param {{report: Report, name: string}} props */
function Areas({ report, name }) {
  const [level, setLevel] = useState(/** @type {Level} */ ('postal_code'));
  const [isWhole, setIsWhole] = useState(false);
  const areas = report[level];
  const total = report.places[0].visits;
  const shown = isWhole ? areas : areas.slice(0, FIRST);
  const bars = shown.map(({ id, description, weekly_visits: visits }) => ({
    key: id,
    name: level === 'postal_code' ? html`${codeOf(id)} <small>${description}</small>` : description,
    value: visits,
    cells: [number(visits), percent(visits / total)],
  }));
  const file = `origins-${level}-${report.places[0].place_id}.csv`;
  const save = () => download(file, 'text/csv', tableOf(report, level));
  return html`
    <p><label>Group by <select value=${level}
      onInput=${(/** @type {any} */ event) => setLevel(event.target.value)}>
      ${Object.entries(LEVELS).map(([value, title]) => html`<option value=${value}>${title}</option>`)}
    </select></label></p>
    <${BarTable} caption="Weekly visits by visitors’ home" of=${name}
      titles=${[LEVELS[level], 'Weekly visits, from 0', 'Visits', 'Share']} bars=${bars} />
    <p class="actions start">
      ${areas.length > FIRST && html`<button onClick=${() => setIsWhole(!isWhole)}>
        ${isWhole ? `Show top ${FIRST}` : `Show all ${number(areas.length)}`}
      </button>`}
      <button onClick=${save}>Download CSV</button>
    </p>`;
}

/**
 * @param {Report} report
 * @param {Level} level
 */
function tableOf(report, level) {
  const titles = /** @type {const} */ (['id', 'description', 'weekly_visits', 'daily_visits']);
  // Origins have the maturity of the visits, which can be higher than that of the report's cohorts.
  const provenance = { ...provenanceColumns(report.meta), maturity: report.places[0].maturity };
  return csv([
    [...titles, ...Object.keys(provenance)],
    ...report[level].map((area) => [...titles.map((title) => area[title]), ...Object.values(provenance)]),
  ]);
}

/**
 * Returns the positions of the ZIP codes with the most visits. They're null until `load` has looked them up.
 * @param {Report} report
 */
function useZipPoints(report) {
  const [points, setPoints] = useState(/** @type {import('./origins-map.js').ZipPoint[] | null} */ (null));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const [isLoading, setIsLoading] = useState(false);
  const load = async () => {
    setIsLoading(true);
    setError(null);
    try {
      const prefixes = prefixesOf(report.postal_code);
      const found = await Promise.all(prefixes.map((prefix) => findMarkets('ZIP', prefix)));
      setPoints(located(report, found.flatMap(({ markets }) => markets)));
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
    }
    setIsLoading(false);
  };
  return { points, error, isLoading, load };
}

/**
 * @param {Report} report
 * @param {Market[]} markets
 */
function located(report, markets) {
  const of = new Map(markets.map((market) => [market.market_id, market]));
  return report.postal_code.flatMap((area) => {
    const { latitude: lat, longitude: lon } = of.get(area.id) ?? { latitude: null, longitude: null };
    return lat === null || lon === null ? [] : [{ area, lat, lon }];
  });
}
