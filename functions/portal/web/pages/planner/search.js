// The search: what was found last, and the calls that find more. Each is somebody's click, since it costs.

import { signal } from '@preact/signals';
import { call } from '../../api/client.js';
import { FIELDS, ofRecord } from './display.js';
import { searchOf } from './filters.js';

/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('../../api/types').Schema<'Provenance'>} Provenance */

/**
 * @typedef {object} Results
 * @property {Display[]} displays what is loaded, in the order of the search
 * @property {number} total how many were found in all
 * @property {Filters} filters what was searched for
 * @property {number} pages how many are loaded
 * @property {Provenance} provenance
 */

/** A page costs the same however many it holds; so many are read quickly. */
const PAGE = 500;
/** The service answers with no deeper pages. */
const DEEPEST = 10_000;

/** What was found last; it stays while something else is searched for. */
export const results = signal(/** @type {Results | null} */ (null));

/** Why the last call failed. */
export const searchError = signal(/** @type {Error | null} */ (null));

/** Whether a call is under way. */
export const isSearching = signal(false);

/** @type {AbortController | null} */
let underWay = null;
/** @type {{filters: Filters, page: number} | null} */
let failed = null;

/**
 * Searches anew.
 * @param {Filters} filters without faults
 */
export function search(filters) {
  return load(filters, 1);
}

/** Loads the next page of what was found. */
export function loadMore() {
  const { value } = results;
  return value ? load(value.filters, value.pages + 1) : Promise.resolve();
}

/** Makes the call that failed again, which leaves what is loaded where it is. */
export function retrySearch() {
  return failed ? load(failed.filters, failed.page) : Promise.resolve();
}

/** Ends a call that is under way: the page was left. */
export function stopSearch() {
  underWay?.abort();
  underWay = null;
  isSearching.value = false;
}

/**
 * Tells whether a further page can be loaded.
 * @param {Results} found
 */
export function hasMore({ displays, total, pages }) {
  return displays.length < total && (pages + 1) * PAGE <= DEEPEST;
}

/**
 * Tells whether a search would ask the service for something else than the last one did.
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
    const body = { ...searchOf(filters), fieldSet: FIELDS, pagination: { page, page_size: PAGE } };
    const { body: found } = await call('search_inventory', { body, signal: controller.signal });
    const before = page > 1 ? (results.value?.displays ?? []) : [];
    results.value = {
      displays: [...before, ...found.results.map(ofRecord)], total: found.total, filters, pages: page,
      provenance: found.meta.provenance,
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
 * Keeps what is loaded and meets what the service cannot filter by.
 * @param {Display[]} displays
 * @param {Filters} filters
 */
export function narrowed(displays, { setting, operator, width, height }) {
  const [wide, high] = [Number(width) * 12, Number(height) * 12];
  return displays.filter((display) =>
    (!setting || display.setting === setting)
    && (!operator || display.operator === operator)
    && (!wide || (display.size?.width ?? 0) >= wide)
    && (!high || (display.size?.height ?? 0) >= high));
}
