// The cohorts of each data product. The lists are free and short, so they're loaded once and searched
// locally.

import { signal } from '@preact/signals';
import { call } from '../api/client.js';

/** @typedef {import('../api/types').Answer<'search_cohorts'>['cohorts'][number]} Cohort */
/** @typedef {'Population At Home' | 'Population Anytime'} CohortProduct */

/** @type {Map<CohortProduct, Promise<Cohort[]>>} */
const lists = new Map();

/** All loaded cohorts, by ID. */
const named = signal(/** @type {Map<string, Cohort>} */ (new Map()));

/**
 * Returns all cohorts of a data product. Makes one free call the first time.
 * @param {CohortProduct} [product]
 * @returns {Promise<Cohort[]>}
 */
export function allCohorts(product = 'Population At Home') {
  const known = lists.get(product);
  if (known) return known;
  const body = { service_data_product_name: product, search_text: '' };
  const list = call('search_cohorts', { body }).then((answer) => answer.body.cohorts);
  list.then(remember, () => {});
  list.catch(() => lists.delete(product));
  lists.set(product, list);
  return list;
}

/**
 * Returns the composed cohorts whose components together match all words. Makes one free call.
 * @param {string} words
 * @returns {Promise<Cohort[]>}
 */
export async function composedCohorts(words) {
  const body = { service_data_product_name: 'Population At Home', search_text: words };
  return (await call('search_cohorts', { body })).body.cohorts;
}

/**
 * Returns a cohort's name, or the cohort's ID if the cohort hasn't been loaded. The name of a composed cohort
 * consists of the names of its components.
 * @param {string} id
 */
export function cohortName(id) {
  return id.split('.').map((part) => named.value.get(part)?.cohort_description ?? part).join(' + ');
}

/** @param {Cohort[]} cohorts */
function remember(cohorts) {
  const all = new Map(named.value);
  for (const cohort of cohorts) all.set(cohort.service_segment_id, cohort);
  named.value = all;
}
