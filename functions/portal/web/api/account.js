// The signed-in person's account: identity, organization, limits and credits.

import { computed, signal } from '@preact/signals';
import { call } from './client.js';
import { forgetLimits } from './limits.js';
import { may } from './roles.js';

/** @typedef {import('./types').Answer<'read_account'>['data']} Account */

/** The account as last read; null before the first read. */
export const account = signal(/** @type {Account | null} */ (null));

/** The error of the last read; null if it succeeded. */
export const accountError = signal(/** @type {Error | null} */ (null));

/** The person's organization; null without one, and before the account is read. */
export const organization = computed(() => account.value?.organization ?? null);

/** Whether the person manages API keys. */
export const managesKeys = computed(() => isAllowed('manage_keys'));

/** Whether the person manages members and invitations. */
export const managesMembers = computed(() => isAllowed('manage_members'));

/** Whether the person manages the tile grants of all members. */
export const managesTileGrants = computed(() => isAllowed('manage_tile_grants'));

/** Functions that clear the previous organization's data. */
/** @type {(() => void)[]} */
const forgetting = [forgetLimits];

/**
 * Registers a function that clears data when the person changes or leaves the organization.
 * @param {() => void} forget
 */
export function whenOrganizationChanges(forget) {
  forgetting.push(forget);
}

/** Reads the account, at startup and after every change. */
export async function readAccount() {
  try {
    const { body } = await call('read_account');
    take(body.data);
  } catch (error) {
    accountError.value = /** @type {Error} */ (error);
  }
}

/** The name of the organization that the person has left since the portal loaded, or null. */
export const left = signal(/** @type {string | null} */ (null));

/**
 * Replaces the account with the copy in a response. Reading the account can return stale data for 30 seconds.
 * @param {Account} next
 */
export function take(next) {
  const before = organization.value?.org_id;
  account.value = next;
  if (before && before !== next.organization?.org_id) for (const forget of forgetting) forget();
  accountError.value = null;
}

/**
 * Sets the person's role.
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

/** Removes the organization after the person has left it. */
export function leave() {
  if (!account.value) return;
  left.value = organization.value?.name ?? organization.value?.org_id ?? null;
  take({ ...account.value, organization: null, sign_up: null });
}
