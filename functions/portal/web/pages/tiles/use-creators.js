// Names the creators of tile grants. The API returns the IDs of members and keys, and only owners can list
// their names.

import { useCall } from '../../api/use-call.js';
import { account, managesKeys, managesMembers } from '../../api/account.js';
import { who } from '../../ui/who.js';

/** @typedef {import('../../api/types').Schema<'Actor'>} Actor */

/**
 * Returns a function that returns the name of a member or key. For null, it returns `an administrator`.
 * @returns {(actor: Actor | null) => string}
 */
export function useCreators() {
  const members = useCall('list_members', managesMembers.value ? {} : null).body?.data ?? [];
  const keys = useCall('list_keys', managesKeys.value ? {} : null).body?.data ?? [];
  return (actor) => {
    if (!actor) return 'an administrator';
    const { member_id: person, key_id: key } = actor;
    if (person) {
      const email = members.find(({ member_id: id }) => id === person)?.email ?? null;
      return person === account.value?.person.member_id ? 'you' : who({ member_id: person, email });
    }
    const label = keys.find(({ key_id: id }) => id === key)?.label;
    return label ? `the key “${label}”` : `key ${key}`;
  };
}
