// The signed-in person's account: identity, organization, limits, and credits.

import { computed, signal } from '@preact/signals';
import { call } from './client.js';
import { forgetLimits } from './limits.js';
import { may } from './roles.js';

/** @typedef {import('./types').Answer<'read_account'>['data']} Account */

/** The account from the latest response; null before the first response. */
export const account = signal(/** @type {Account | null} */ (null));

/** The error of the last read; null if it succeeded. */
export const accountError = signal(/** @type {Error | null} */ (null));

/** The person's organization; null if they have none or the account hasn't been read yet. */
export const organization = computed(() => account.value?.organization ?? null);

/** Whether the person is allowed to manage API keys. */
export const managesKeys = computed(() => isAllowed('manage_keys'));

/** Whether the person is allowed to manage members and invitations. */
export const managesMembers = computed(() => isAllowed('manage_members'));

/** Whether the person is allowed to manage all members' tile grants. */
export const managesTileGrants = computed(() => isAllowed('manage_tile_grants'));

/** Whether the person is allowed to manage webhooks. */
export const managesWebhooks = computed(() => isAllowed('manage_webhooks'));

/** Functions that clear the previous organization's data when the organization changes. */
/** @type {(() => void)[]} */
const forgetting = [forgetLimits];

/**
 * Registers a function that clears cached data when the person leaves or switches organizations.
 * @param {() => void} forget
 */
export function whenOrganizationChanges(forget) {
  forgetting.push(forget);
}

/** Fetches the account. Stores it in `account`, or stores the error in `accountError`. */
export async function readAccount() {
  try {
    const { body } = await call('read_account');
    take(body.data);
  } catch (error) {
    accountError.value = /** @type {Error} */ (error);
  }
}

/** The name or ID of the organization that the person has left since the portal was loaded; null if none. */
export const left = signal(/** @type {string | null} */ (null));

/**
 * Replaces the account with the one in a response. Use this instead of `readAccount` after a change, because
 * `readAccount` can return stale data for 30 seconds.
 * @param {Account} next
 */
export function take(next) {
  const before = organization.value?.org_id;
  account.value = next;
  if (before && before !== next.organization?.org_id) for (const forget of forgetting) forget();
  accountError.value = null;
}

/**
 * Sets the signed-in person's role after a change.
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

/** Removes the organization from the account after the person has left the organization. */
export function leave() {
  if (!account.value) return;
  left.value = organization.value?.name ?? organization.value?.org_id ?? null;
  take({ ...account.value, organization: null, sign_up: null });
}
