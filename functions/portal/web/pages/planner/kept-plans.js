// The drafts of plans, which this browser keeps until they are saved or discarded, or until the person signs
// out. Each person and organization has its own drafts.

import { account, organization } from '../../api/account.js';

/** The version of the format. Drafts in other formats are ignored. */
const FORMAT = 1;

/**
 * Keeps a draft, or forgets it.
 * @param {string} target the ID of a saved campaign; empty for a new plan
 * @param {unknown} plan null to forget the draft
 * @returns {boolean} whether the browser has kept it
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
 * Returns a kept draft; null if there is none.
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

/** @param {string} target */
function keyOf(target) {
  const { member_id: member } = account.value?.person ?? {};
  return ['plan', FORMAT, member, organization.value?.org_id, target].join(' ');
}
