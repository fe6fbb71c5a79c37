// Display names of products, grant kinds, and grant states.

import { capital } from '../ui/format.js';

const KINDS = {
  promotional: 'Promotional', allocated: 'Allocated', purchased: 'Purchased', metered: 'Metered',
};
const ENDS = { live: 'Active', expired: 'Expired', used_up: 'Used up', revoked: 'Revoked' };

/**
 * Returns the display name of a meter: "Place search" for `place_search`, and "Campaigns" for
 * `scenario_campaign_crud`.
 * @param {string} name
 */
export function productName(name) {
  if (name === 'campaign_estimate') return 'Campaign estimates';
  if (name === 'event_estimate') return 'Event estimates';
  if (name === 'population_at_home') return 'Resident population';
  return capital(name.replace(/^scenario_(\w+)_crud$/, '$1s').replaceAll('_', ' '));
}

/**
 * Returns the name of a grant's kind.
 * @param {keyof typeof KINDS} kind
 */
export function kindName(kind) {
  return KINDS[kind];
}

/**
 * Returns the name of a grant's state.
 * @param {keyof typeof ENDS} state
 */
export function endName(state) {
  return ENDS[state];
}
