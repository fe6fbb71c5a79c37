// Who did something, in words.

import { account } from '../api/account.js';

/**
 * Names somebody who acted for the organization: an address where it is known, else the person's handle.
 * @param {{member_id: string, email: string | null} | null} actor null for the operator
 */
export function who(actor) {
  if (!actor) return 'the operator';
  if (actor.member_id === account.value?.person.member_id) return 'you';
  return actor.email ?? `member ${actor.member_id}`;
}
