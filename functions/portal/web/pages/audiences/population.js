// The resident population of a cohort: a map, the areas with the highest and lowest values, and a table.

import { html } from 'htm/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { sheet as sheetOf } from '../../map/areas.js';
import { Choice } from '../../ui/choice.js';
import { download } from '../../ui/download.js';
import { Failure } from '../../ui/failure.js';
import { count, number } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { LEVELS, areasOf, csvOf, sumsOf } from './areas.js';
import { AreasTable } from './areas-table.js';
import { Choropleth } from './choropleth.js';
import { classOf, classesOf, written } from './classes.js';
import { CompareAudiences } from './compare.js';
import { Extremes } from './extremes.js';
import { Legend } from './legend.js';

/** @typedef {import('./areas.js').Area} Area */
/** @typedef {import('../../map/areas.js').Level} Level */
/** @typedef {import('../../map/areas.js').Sheet} Sheet */

const MEASURES = [{ value: 'share', name: 'Share' }, { value: 'index', name: 'Index' }];

/**
 * Shows the resident population of a cohort, and its comparison with another loaded population.
 * @param {{population: import('./areas.js').Population, level: Level,
 *   measure: import('./classes.js').Measure, onMeasure: (measure: string) => void,
 *   others: import('./areas.js').Population[], other: import('./areas.js').Population | undefined,
 *   onOther: (id: string | null) => void}} props
 */
export function Population({ population, level, measure, onMeasure, others, other, onOther }) {
  const { one, many } = LEVELS[level];
  const areas = useMemo(() => areasOf(population), [population]);
  const classes = useMemo(() => classesOf(areas, measure), [areas, measure]);
  const [chosen, setChosen] = useState(/** @type {string | null} */ (null));
  useEffect(() => setChosen(null), [population]);
  const save = () => download(fileName(population, many), 'text/csv', csvOf(population));
  const shown = { areas, many, measure, chosen, onChoose: setChosen };
  return html`
    <div class="population">
      <header>
        <h2>${population.customer_segment_name} by ${one}</h2>
        <${Choice} label="Measure" options=${MEASURES} value=${measure} onChange=${onMeasure} />
        <button onClick=${save}>Download CSV · free</button>
      </header>
      <${MapPart} population=${population} level=${level} classes=${classes} ...${shown} />
      <${Extremes} ...${shown} />
      <${CompareAudiences} population=${population} others=${others} other=${other} many=${many}
        measure=${measure} onOther=${onOther} />
      <section class="card wide all-areas" aria-labelledby="all">
        <h2 id="all">All ${many}</h2>
        <${AreasTable} ...${shown} />
      </section>
      <${Source} population=${population} />
    </div>`;
}

/**
 * @param {{population: import('./areas.js').Population, level: Level, areas: Area[],
 *   classes: import('./classes.js').Class[], measure: import('./classes.js').Measure, chosen: string | null,
 *   onChoose: (code: string) => void}} props
 */
function MapPart({ population, level, classes, areas, measure, chosen, onChoose }) {
  const { one, many } = LEVELS[level];
  const { sheet, error, retry } = useSheet(level);
  const [isDrawn, setIsDrawn] = useState(false);
  const [pointed, setPointed] = useState(/** @type {string | null} */ (null));
  const byCode = useMemo(() => new Map(areas.map((area) => [area.code, area])), [areas]);
  const drawn = useMemo(
    () => new Map(areas.map((area) => [area.code, classOf(classes, area[measure])])), [classes]);
  const tokens = useMemo(() => classes.map(({ token }) => token), [classes]);
  const name = (/** @type {string | null} */ code) => words(code, byCode, population);
  return html`
    <section class="card wide map-part" aria-label="Map">
      <div class="map-sheet" aria-busy=${!isDrawn}>
        <${Failure} error=${error} retry=${retry} />
        ${!sheet && !error && html`<${Loading} what="the map" />`}
        ${sheet && html`<${Choropleth} label=${`Map of ${many} by ${measure}`} sheet=${sheet} classes=${drawn}
          tokens=${tokens} chosen=${chosen} onDrawn=${() => setIsDrawn(true)} onPoint=${setPointed}
          onChoose=${onChoose} />`}
      </div>
      <div class="map-facts">
        <p class="pointed" aria-hidden="true">
          ${pointed ? name(pointed) : `Point to a ${one} to see its figures.`}
        </p>
        <p class="picked" role="status">${chosen && name(chosen)}</p>
        <${Legend} classes=${classes} measure=${measure} one=${one} many=${many} />
        ${sheet && html`
          <${Sums} sums=${sumsOf(population, areas, sheet.features)} one=${one} many=${many} />`}
      </div>
    </section>`;
}

/**
 * @param {Level} level
 * @returns {{sheet: Sheet | null, error: Error | null, retry: () => void}}
 */
function useSheet(level) {
  /** @type {{level: Level, sheet: Sheet | null, error: Error | null}} */
  const none = { level, sheet: null, error: null };
  const [state, setState] = useState(none);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isLeft = false;
    const done = (/** @type {Sheet | null} */ sheet, /** @type {Error | null} */ error) =>
      isLeft || setState({ level, sheet, error });
    sheetOf(level).then((sheet) => done(sheet, null), (error) => done(null, error));
    return () => { isLeft = true; };
  }, [level, turn]);
  const retry = () => setTurn(turn + 1);
  const { sheet, error } = state.level === level ? state : none;
  return { sheet, error, retry };
}

/** @param {{sums: ReturnType<typeof sumsOf>, one: string, many: string}} props */
function Sums({ sums, one, many }) {
  const { drawn, drawnPersons, undrawn, outside, nation } = sums;
  return html`
    <dl class="sums">
      <dt>In ${count(drawn, one, many)} on the map</dt><dd>${number(drawnPersons)}</dd>
      ${undrawn.map(({ name, persons }) => html`
        <dt>In ${name} (not on the map)</dt><dd>${number(persons)}</dd>`)}
      ${outside > 0 && html`<dt>Outside all ${many}</dt><dd>${number(outside)}</dd>`}
      <dt>Nation</dt><dd>${number(nation)}</dd>
    </dl>`;
}

/** @param {{population: import('./areas.js').Population}} props */
function Source({ population: { shares, meta } }) {
  return html`
    <p class="wide"><small>
      Modelled: ${meta.provenance.source}. Shares: ${shares.source}, ${shares.vintage}. Boundaries: US Census
      Bureau, 2023. Alaska is shown at about a third of its size.
    </small></p>`;
}

/**
 * @param {string | null} code
 * @param {Map<string, Area>} byCode
 * @param {import('./areas.js').Population} population
 */
function words(code, byCode, { customer_segment_name: cohort }) {
  const area = byCode.get(code ?? '');
  if (!area) return 'No data.';
  return html`<strong>${area.name}</strong>: ${cohort}: ${number(area.persons)} of ${number(area.all)}
    ${' '}residents (${written('share', area.share)}), index ${written('index', area.index)}.`;
}

/**
 * @param {import('./areas.js').Population} population
 * @param {string} many
 */
function fileName({ customer_segment_name: cohort, vintage }, many) {
  return `${cohort.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-by-${many}-${vintage}.csv`;
}
