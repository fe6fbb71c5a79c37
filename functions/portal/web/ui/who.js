// The names of the people who created or revoked an item.

import { account } from '../api/account.js';

/**
 * Returns `you` for the signed-in person, and otherwise the email address or, without one, the member ID.
 * @param {{member_id: string, email: string | null} | null} actor null for an administrator
 */
export function who(actor) {
  if (!actor) return 'an administrator';
  if (actor.member_id === account.value?.person.member_id) return 'you';
  return actor.email ?? `Member ${actor.member_id}`;
}
