// The person's account, which most pages ask: who they are, what their organization may use, what is left.

import { computed, signal } from '@preact/signals';
import { call } from './client.js';
import { forgetLimits } from './limits.js';
import { may } from './roles.js';

/** @typedef {import('./types').Answer<'read_account'>['data']} Account */

/** The account as it was read last; null before that. */
export const account = signal(/** @type {Account | null} */ (null));

/** Why it could not be read; null when it could. */
export const accountError = signal(/** @type {Error | null} */ (null));

/** The person's organization; null before they have one, and before the account was read. */
export const organization = computed(() => account.value?.organization ?? null);

/** Whether the person manages API keys. */
export const managesKeys = computed(() => isAllowed('manage_keys'));

/** Whether the person manages members and invitations. */
export const managesMembers = computed(() => isAllowed('manage_members'));

/** What forgets something of the organization that the person was in. */
/** @type {(() => void)[]} */
const forgetting = [forgetLimits];

/**
 * Has something forgotten when the person comes to another organization, or to none.
 * @param {() => void} forget
 */
export function whenOrganizationChanges(forget) {
  forgetting.push(forget);
}

/** Reads the account, at the start and whenever something changed it. */
export async function readAccount() {
  try {
    const { body } = await call('read_account');
    take(body.data);
  } catch (error) {
    accountError.value = /** @type {Error} */ (error);
  }
}

/** What the person has left since these pages were loaded, by its name; null for nothing. */
export const left = signal(/** @type {string | null} */ (null));

/**
 * Takes over what an answer has said of the person: the account itself may tell it up to 30 seconds later.
 * @param {Account} told
 */
export function take(told) {
  const before = organization.value?.org_id;
  account.value = told;
  if (before && before !== told.organization?.org_id) for (const forget of forgetting) forget();
  accountError.value = null;
}

/**
 * Notes that the person has another role now.
 * @param {NonNullable<Account['organization']>['role']} role
 */
export function takeRole(role) {
  if (!account.value?.organization) return;
  take({ ...account.value, organization: { ...account.value.organization, role } });
}

/** @param {import('./roles.js').Permission} permission */
function isAllowed(permission) {
  return organization.value !== null && may(organization.value.role, permission);
}

/** Notes that the person belongs to no organization any more. */
export function leave() {
  if (!account.value) return;
  left.value = organization.value?.name ?? organization.value?.org_id ?? null;
  take({ ...account.value, organization: null, sign_up: null });
}
