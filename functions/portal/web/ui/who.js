// The names of people who did something.

import { account } from '../api/account.js';

/**
 * Returns an actor's email address, or else the member id.
 * @param {{member_id: string, email: string | null} | null} actor null for an administrator
 */
export function who(actor) {
  if (!actor) return 'an administrator';
  if (actor.member_id === account.value?.person.member_id) return 'you';
  return actor.email ?? `Member ${actor.member_id}`;
}
