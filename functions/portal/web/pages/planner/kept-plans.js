// The drafts of plans. The browser stores them until they're saved or discarded, or until the person signs
// out. Each person has separate drafts in each organization.

import { account, organization } from '../../api/account.js';

/** The version of the draft format. Drafts in other versions are ignored. */
const FORMAT = 2;

/**
 * Stores a draft in the browser, or deletes it.
 * @param {string} target the ID of a saved campaign; empty for a new plan
 * @param {unknown} plan null to delete the draft
 * @returns {boolean} whether the draft is stored
 */
export function keepPlan(target, plan) {
  try {
    if (plan === null) localStorage.removeItem(keyOf(target));
    else localStorage.setItem(keyOf(target), JSON.stringify(plan));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a stored draft; null if there is none.
 * @param {string} target
 * @returns {any}
 */
export function keptPlan(target) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(target)) ?? 'null');
  } catch {
    return null;
  }
}

/** Returns the IDs of the saved campaigns that have drafts. */
export function keptTargets() {
  const start = keyOf('');
  return Object.keys(localStorage).filter((key) => key.startsWith(start) && key !== start)
    .map((key) => key.slice(start.length));
}

/** @param {string} target */
function keyOf(target) {
  const { member_id: member } = account.value?.person ?? {};
  return ['plan', FORMAT, member, organization.value?.org_id, target].join(' ');
}
