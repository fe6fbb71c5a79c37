// The cohorts of each data product by name, read once: the list is free and short, and search in it is
// instant.

import { signal } from '@preact/signals';
import { call } from '../api/client.js';

/** @typedef {import('../api/types').Answer<'search_cohorts'>['cohorts'][number]} Cohort */
/** @typedef {'Population At Home' | 'Population Anytime'} CohortProduct */

/** @type {Map<CohortProduct, Promise<Cohort[]>>} */
const lists = new Map();

/** Every cohort that the lists have named so far, by its id. */
const named = signal(/** @type {Map<string, Cohort>} */ (new Map()));

/**
 * Lists all cohorts of a data product, with one counted call that costs nothing, and none after that.
 * @param {CohortProduct} [product]
 * @returns {Promise<Cohort[]>}
 */
export function allCohorts(product = 'Population At Home') {
  const known = lists.get(product);
  if (known) return known;
  const body = { service_data_product_name: product, search_text: '' };
  const list = call('search_cohorts', { body }).then((answer) => {
    const { cohorts } = answer.body;
    const all = new Map(named.value);
    for (const cohort of cohorts) all.set(cohort.service_segment_id, cohort);
    named.value = all;
    return cohorts;
  });
  list.catch(() => lists.delete(product));
  lists.set(product, list);
  return list;
}

/**
 * Names a cohort: as a list named it, else by its id.
 * @param {string} id
 */
export function cohortName(id) {
  return named.value.get(id)?.cohort_description ?? id;
}
