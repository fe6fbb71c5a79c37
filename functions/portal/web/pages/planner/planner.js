// The planner page. People find displays on a map and in a list, and save a plan as a campaign.

import { html } from 'htm/preact';
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { costOf } from '../../api/limits.js';
import { busyLabel } from '../../api/waiting.js';
import { pageUrl } from '../../addresses.js';
import { allCohorts } from '../../scenario/cohorts.js';
import { notesOf } from '../../scenario/violations.js';
import { FILTER_FIELDS, FilterPanel, faultyChips } from './filter-panel.js';
import { faultsOf, queryOf, readFilters } from './filters.js';
import { EditPanel } from './edit-panel.js';
import { openPlan } from './plan.js';
import { PlanPanel } from './plan-panel.js';
import { ResultsPanel } from './results-panel.js';
import { MapPanel } from './map-panel.js';
import {
  isChanged, isSearching, results, retrySearch, search, searchError, stopSearch,
} from './search.js';

/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('../../api/errors.js').Violation} Violation */

/** The delay before a change of the filters is written to the address, in milliseconds. */
const SETTLED = 250;

/** @type {Violation[]} */
const NO_WARNINGS = [];

/** The current filters. `useAddress` keeps the page's address in sync with them. */
const filters = signal(readFilters(location.search));

/** @param {{id?: string}} props the ID of a saved campaign to change */
export default function Planner({ id = '' }) {
  useAddress(id ? `planner/${id}` : 'planner');
  useEffect(() => stopSearch, []);
  useLayoutEffect(() => openPlan(id), [id]);
  return html`
    <div class="planner">
      <${MapPanel} filters=${filters} />
      <section class="panel find" aria-label="Find displays"><${Find} isChange=${id !== ''} /></section>
      <section class="panel plan" aria-label="Plan">
        ${id ? html`<${EditPanel} key=${id} id=${id} />` : html`<${PlanPanel} />`}
      </section>
    </div>`;
}

/** @param {{isChange: boolean}} props whether a saved campaign is changed */
function Find({ isChange }) {
  const [faults, setFaults] = useState(/** @type {Violation[]} */ ([]));
  const [open, setOpen] = useState('');
  const error = searchError.value;
  const warnings = isChanged(filters.value) ? NO_WARNINGS : results.value?.warnings ?? NO_WARNINGS;
  const notes = useMemo(() => notesOf(FILTER_FIELDS, { faults, error, warnings }), [faults, error, warnings]);
  useCohortName(filters.value.cohort);
  const change = (/** @type {Filters} */ next) => {
    filters.value = next;
    if (faults.length > 0) setFaults(faultsOf(next));
  };
  const run = (/** @type {Event} */ event) => {
    event.preventDefault();
    const found = faultsOf(filters.value);
    setFaults(found);
    if (found.length > 0) return;
    // Close the open filter to make room for the results.
    setOpen('');
    search(filters.value);
  };
  return html`
    <h1>${isChange ? 'Change a campaign' : 'Plan a campaign'}</h1>
    <form onSubmit=${run} novalidate>
      <${FilterPanel} filters=${filters.value} onChange=${change} notes=${notes} faulty=${faultyChips(notes)}
        open=${open} onOpen=${setOpen} />
      ${faults.length > 0 && html`
        <p class="error" role="alert">Check these filters: ${faultyChips(notes).join(', ')}.</p>`}
      <div class="actions">
        ${queryOf(filters.value) && html`
          <button type="button" class="quiet" onClick=${() => change(readFilters(''))}>Clear all</button>`}
        <button class="primary" disabled=${isSearching.value}>
          ${isSearching.value ? busyLabel('Searching…') : `Search · ${costOf('search_inventory')}`}
        </button>
      </div>
    </form>
    <${ResultsPanel} filters=${filters.value} onChange=${change} retry=${retrySearch} />`;
}

/**
 * Loads the name of a cohort. Until the name is loaded, the page shows the ID.
 * @param {string} cohort
 */
function useCohortName(cohort) {
  useEffect(() => {
    if (cohort) allCohorts().catch(() => {});
  }, [cohort]);
}

/**
 * Updates the address when the filters change, and updates the filters when the address changes.
 * @param {string} page the path of the page
 */
function useAddress(page) {
  const { url, route } = useLocation();
  const query = queryOf(filters.value);
  const written = useRef(/** @type {string | null} */ (null));
  useEffect(() => {
    // Ignore address changes that this hook made itself.
    if (new URL(url, location.origin).search === written.current) return;
    filters.value = readFilters(location.search);
  }, [url]);
  useEffect(() => {
    if (location.search === query) return;
    const timer = setTimeout(() => {
      written.current = query;
      route(pageUrl(page) + query + location.hash, true);
    }, SETTLED);
    return () => clearTimeout(timer);
  }, [query]);
}
