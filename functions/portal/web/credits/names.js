// What the service sells, and where credits come from, in words.

import { capital } from '../ui/format.js';

const KINDS = {
  promotional: 'Promotional', allocated: 'Allocated', purchased: 'Purchased', metered: 'Metered',
};
const ENDS = { live: 'Live', expired: 'Expired', used_up: 'Used up', revoked: 'Taken back' };

/**
 * Writes a billing name as words: `place_search` is "Place search", and what campaigns cost is "Campaigns".
 * @param {string} name
 */
export function productName(name) {
  return capital(name.replace(/^scenario_(\w+)_crud$/, '$1s').replaceAll('_', ' '));
}

/**
 * Names the kind of a grant.
 * @param {keyof typeof KINDS} kind
 */
export function kindName(kind) {
  return KINDS[kind];
}

/**
 * Says what became of a grant.
 * @param {keyof typeof ENDS} state
 */
export function endName(state) {
  return ENDS[state];
}
