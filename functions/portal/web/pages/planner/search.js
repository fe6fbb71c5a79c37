// The inventory search and its results. Each call costs credits, so calls are made only after a click.
// Repeating a search within five minutes doesn't make a call.

import { signal } from '@preact/signals';
import { callKept } from '../../api/kept.js';
import { FIELDS, ofRecord } from './display.js';
import { searchOf } from './filters.js';

/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('../../api/types').Schema<'Provenance'>} Provenance */
/** @typedef {import('../../api/errors.js').Violation} Violation */

/**
 * @typedef {object} Results
 * @property {Display[]} displays the loaded displays, in sort order
 * @property {number} total the number of displays that match the filters
 * @property {Filters} filters the filters of the search
 * @property {number} pages the number of loaded pages
 * @property {number} search the number of the search, which all of its pages share
 * @property {Provenance} provenance
 * @property {ReadonlyMap<number, number>} indexes the index of each display for the cohort of the search
 * @property {Violation[]} warnings warnings for filter values that aren't in the data
 */

/** The number of displays per page. Larger pages would cost the same but load more slowly. */
const PAGE = 500;
/** The maximum number of results that can be loaded per search. The API sets this limit. */
const DEEPEST = 10_000;

/** The results of the last search. They're kept until the next search has succeeded. */
export const results = signal(/** @type {Results | null} */ (null));

/** The error of the last call, or null if the call succeeded. */
export const searchError = signal(/** @type {Error | null} */ (null));

/** Whether a call is in progress. */
export const isSearching = signal(false);

let searches = 0;
/** @type {AbortController | null} */
let underWay = null;
/** @type {{filters: Filters, page: number} | null} */
let failed = null;

/**
 * Starts a search and loads the first page of its results.
 * @param {Filters} filters filters for which `faultsOf` returns no errors
 */
export function search(filters) {
  return load(filters, 1);
}

/** Loads the next page of the current results. */
export function loadMore() {
  const { value } = results;
  return value ? load(value.filters, value.pages + 1) : Promise.resolve();
}

/** Retries the failed call and keeps the loaded results. */
export function retrySearch() {
  return failed ? load(failed.filters, failed.page) : Promise.resolve();
}

/** Aborts the call in progress. The planner calls this function when its page closes. */
export function stopSearch() {
  underWay?.abort();
  underWay = null;
  isSearching.value = false;
}

/**
 * Returns whether another page can be loaded.
 * @param {Results} found
 */
export function hasMore({ displays, total, pages }) {
  return displays.length < total && (pages + 1) * PAGE <= DEEPEST;
}

/**
 * Returns whether the filters would lead to a different request than the one that loaded the results.
 * @param {Filters} filters
 */
export function isChanged(filters) {
  const asked = (/** @type {Filters} */ of) => JSON.stringify(searchOf(of));
  return results.value !== null && asked(filters) !== asked(results.value.filters);
}

/**
 * @param {Filters} filters
 * @param {number} page
 */
async function load(filters, page) {
  if (isSearching.value) return;
  const controller = new AbortController();
  underWay = controller;
  isSearching.value = true;
  try {
    const pagination = { page, page_size: PAGE };
    const body = { ...searchOf(filters), fieldSet: fieldsFor(filters), pagination };
    const found = await callKept('search_inventory', { body }, controller.signal);
    if (controller.signal.aborted) return;
    const before = page > 1 ? results.value : null;
    if (page === 1) searches += 1;
    results.value = {
      displays: [...before?.displays ?? [], ...found.results.map(ofRecord)], total: found.total, filters,
      pages: page, search: searches, provenance: found.meta.provenance, warnings: found.meta.warnings ?? [],
      indexes: new Map([...before?.indexes ?? [], ...indexesOf(found.results)]),
    };
    searchError.value = null;
  } catch (error) {
    if (controller.signal.aborted) return;
    failed = { filters, page };
    searchError.value = /** @type {Error} */ (error);
  } finally {
    if (underWay === controller) isSearching.value = false;
  }
}

/**
 * Returns the fields to request. The index is included only if the filters name a cohort.
 * @param {Filters} filters
 * @returns {typeof FIELDS}
 */
function fieldsFor({ cohort }) {
  return cohort ? [...FIELDS, 'index'] : FIELDS;
}

/**
 * @param {import('./display.js').InventoryRecord[]} records
 * @returns {[number, number][]}
 */
function indexesOf(records) {
  return records.flatMap(({ spot_id: id, index }) =>
    (id === undefined || index === undefined || index === null ? [] : [[id, index]]));
}

/**
 * Returns the displays that match the filters that the API doesn't support.
 * @param {Display[]} displays
 * @param {Filters} filters
 */
export function refined(displays, { environment, owner, width, height }) {
  const [wide, high] = [Number(width) * 12, Number(height) * 12];
  return displays.filter((display) =>
    (!environment || display.environment === environment)
    && (!owner || display.owner === owner)
    && (!wide || (display.size?.width ?? 0) >= wide)
    && (!high || (display.size?.height ?? 0) >= high));
}
