// The creators of grants: the API returns a member or key id, which owners can resolve to a name.

import { useCall } from '../../api/use-call.js';
import { account, managesKeys, managesMembers } from '../../api/account.js';
import { who } from '../../ui/who.js';

/** @typedef {import('../../api/types').Schema<'Actor'>} Actor */

/**
 * Returns a function that names an actor.
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
