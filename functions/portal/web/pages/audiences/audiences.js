// The Audiences page, which shows the resident population of a cohort by area.

import { html } from 'htm/preact';
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { whenOrganizationChanges } from '../../api/account.js';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { useCall } from '../../api/use-call.js';
import { pageUrl } from '../../addresses.js';
import { Choice } from '../../ui/choice.js';
import { Empty } from '../../ui/empty.js';
import { Failure } from '../../ui/failure.js';
import { Loading } from '../../ui/loading.js';
import { LEVELS } from './areas.js';
import { missingCombination } from '../../scenario/cohort-blocks.js';
import { CohortChoice } from './cohort-choice.js';
import { Population } from './population.js';

/** @typedef {import('../../map/areas.js').Level} Level */
/** @typedef {import('./areas.js').Population} Answer */
/**
 * `other` is the cohort to compare the first one with.
 * @typedef {{cohort: string | null, by: Level, show: 'share' | 'index', other: string | null}} Wanted
 */

const OPTIONS = Object.entries(LEVELS).map(([value, { title }]) => ({ value, name: title }));
/** The page size. It's larger than the number of counties, so that one page contains all areas. */
const ALL = 10_000;

/**
 * The loaded populations, by cohort and level. They're kept while other pages are open, so that each
 * population is charged only once.
 */
const known = signal(/** @type {Map<string, Answer>} */ (new Map()));

whenOrganizationChanges(() => {
  known.value = new Map();
});

/**
 * Lets the person choose a cohort, and shows its population after a click. If the address contains a cohort
 * when the page opens, its population is loaded immediately.
 */
export default function Audiences() {
  const [wanted, change] = useWanted();
  const { cohort, by, show, other } = wanted;
  const cohorts = useCall('search_cohorts', { body: { service_data_product_name: 'Population At Home' } });
  const { error, isLoading, read } = usePopulations();
  const shown = known.value.get(`${cohort} ${by}`);
  const ask = () => cohort && read(cohort, by);
  useEffect(() => {
    readMissing([cohort, other], by, read);
  }, []);
  const isMissing = Boolean(cohorts.body && missingCombination(cohorts.body.cohorts, cohort));
  return html`
    <h1>Audiences</h1>
    <div class="audiences">
      <section class="card asked" aria-label="Settings">
        <${Choice} label="Group by" isLabelShown=${true} options=${OPTIONS} value=${by}
          onChange=${(/** @type {Level} */ level) => change({ ...wanted, by: level })} />
        <${Failure} error=${cohorts.error} retry=${cohorts.retry} />
        ${!cohorts.body && !cohorts.error && html`<${Loading} what="the cohorts" />`}
        ${cohorts.body && html`<${CohortChoice} cohorts=${cohorts.body.cohorts} chosen=${cohort}
          onChoose=${(/** @type {string | null} */ id) => change({ ...wanted, cohort: id })} />`}
        <${Failure} error=${error} retry=${ask} />
        <button class="primary" disabled=${!cohort || isMissing || isLoading || Boolean(shown)}
          onClick=${ask}>
          ${shown ? 'Shown' : `Show by ${LEVELS[by].one} · ${costOf('read_population_at_home')}`}
        </button>
      </section>
      <div aria-busy=${isLoading}>
        <p class="hidden" role="status">
          ${shown && `${shown.customer_segment_name} by ${LEVELS[by].one} is shown.`}
        </p>
        ${isLoading && html`<${Loading} what="the population" lines=${6} />`}
        ${!isLoading && !shown && html`<${Nothing} hasCohort=${Boolean(cohort)} />`}
        ${!isLoading && shown && html`<${Population} population=${shown} level=${by} measure=${show}
          onMeasure=${(/** @type {Wanted['show']} */ measure) => change({ ...wanted, show: measure })}
          others=${othersOf(cohort, by)} other=${other ? known.value.get(`${other} ${by}`) : undefined}
          onOther=${(/** @type {string | null} */ id) => change({ ...wanted, other: id })} />`}
      </div>
    </div>`;
}

/** @param {{hasCohort: boolean}} props */
function Nothing({ hasCohort }) {
  if (hasCohort) {
    return html`
      <${Empty} title="Ready to show"><p>Click Show to map this cohort.</p><//>`;
  }
  return html`
    <${Empty} title="Choose a cohort">
      <p>See its residents by area, on a map and in a table.</p>
    <//>`;
}

/**
 * Returns the settings, and a function that changes them. They're stored in the address, so that people can
 * share them.
 */
function useWanted() {
  const { query, route } = useLocation();
  /** @type {Wanted} */
  const wanted = {
    cohort: query.cohort ?? null,
    by: query.by && query.by in LEVELS ? /** @type {Level} */ (query.by) : 'COUNTY',
    show: query.show === 'index' ? 'index' : 'share',
    other: query.with ?? null,
  };
  const change = (/** @type {Wanted} */ { cohort, by, show, other }) => {
    const search = new URLSearchParams({
      ...(cohort ? { cohort } : {}), by, show, ...(other ? { with: other } : {}),
    });
    route(`${pageUrl('audiences')}?${search}`, true);
  };
  return /** @type {const} */ ([wanted, change]);
}

/**
 * Returns the populations that are loaded for other cohorts at the same level.
 * @param {string | null} cohort
 * @param {Level} by
 */
function othersOf(cohort, by) {
  const loaded = [...known.value].filter(([key]) => key.endsWith(` ${by}`) && key !== `${cohort} ${by}`);
  return loaded.map(([, population]) => population);
}

/**
 * Loads the populations that aren't loaded yet, one after another.
 * @param {(string | null)[]} cohorts
 * @param {Level} by
 * @param {(cohort: string, by: Level) => Promise<void>} read
 */
async function readMissing(cohorts, by, read) {
  for (const cohort of new Set(cohorts)) {
    if (cohort && !known.value.has(`${cohort} ${by}`)) await read(cohort, by);
  }
}

/** Returns a function that loads a population into `known`. */
function usePopulations() {
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const [isLoading, setIsLoading] = useState(false);
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const read = async (/** @type {string} */ cohort, /** @type {Level} */ by) => {
    setIsLoading(true);
    setError(null);
    try {
      const pagination = { page: 1, page_size: ALL };
      const body = { service_segment_id: cohort, geography_type: [by], pagination };
      const answer = await call('read_population_at_home', { body, signal: controller.current.signal });
      known.value = new Map(known.value).set(`${cohort} ${by}`, answer.body);
    } catch (failed) {
      if (!controller.current.signal.aborted) setError(/** @type {Error} */ (failed));
    }
    setIsLoading(false);
  };
  return { error, isLoading, read };
}
