// The person's account, which most pages ask: who they are, what their organization may use, what is left.

import { computed, signal } from '@preact/signals';
import { call } from '../api/client.js';

/** @typedef {import('../api/types').Answer<'read_account'>['data']} Account */

/** The account as it was read last; null before that. */
export const account = signal(/** @type {Account | null} */ (null));

/** Why it could not be read; null when it could. */
export const accountError = signal(/** @type {Error | null} */ (null));

/** The person's organization; null before they have one, and before the account was read. */
export const organization = computed(() => account.value?.organization ?? null);

/** Whether the person manages keys, members and invitations. */
export const isOwner = computed(() => organization.value?.role === 'owner');

/** Reads the account, at the start and whenever something changed it. */
export async function readAccount() {
  try {
    const { body } = await call('read_account');
    account.value = body.data;
    accountError.value = null;
  } catch (error) {
    accountError.value = /** @type {Error} */ (error);
  }
}
