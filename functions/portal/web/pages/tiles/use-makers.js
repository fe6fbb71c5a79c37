// Who minted a grant: the service names a person's or a key's handle, and owners can look up whose it is.

import { useCall } from '../../api/use-call.js';
import { account, managesKeys, managesMembers } from '../../api/account.js';
import { who } from '../../ui/who.js';

/** @typedef {import('../../api/types').Schema<'Actor'>} Actor */

/**
 * Returns what names who did something.
 * @returns {(actor: Actor | null) => string}
 */
export function useMakers() {
  const members = useCall('list_members', managesMembers.value ? {} : null).body?.data ?? [];
  const keys = useCall('list_keys', managesKeys.value ? {} : null).body?.data ?? [];
  return (actor) => {
    if (!actor) return 'the operator';
    const { member_id: person, key_id: key } = actor;
    if (person) {
      const email = members.find(({ member_id: id }) => id === person)?.email ?? null;
      return person === account.value?.person.member_id ? 'you' : who({ member_id: person, email });
    }
    const label = keys.find(({ key_id: id }) => id === key)?.label;
    return label ? `the key “${label}”` : `key ${key}`;
  };
}
