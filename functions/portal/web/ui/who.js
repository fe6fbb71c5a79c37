// The names of people and API keys that created or revoked an item.

import { html } from 'htm/preact';
import { account, managesKeys } from '../api/account.js';
import { useCall } from '../api/use-call.js';

/** @typedef {import('../api/types').Schema<'Actor'>} Actor */
/** @typedef {import('../api/types').Schema<'ActingMember'>} ActingMember */

/**
 * Returns a member's name or, without one, their email address.
 * @param {{name: string | null, email: string | null}} member
 */
export function nameOf({ name, email }) {
  return name ?? email ?? 'Unnamed member';
}

/**
 * Returns `you` for the signed-in person, and otherwise the member's name. Hovering over the name shows the
 * ID.
 * @param {ActingMember | null} actor null for an administrator
 */
export function who(actor) {
  if (!actor) return 'an administrator';
  const { member_id: id, name, email } = actor;
  if (id === account.value?.person.member_id) return 'you';
  return html`<span title=${`Member ID ${id}`}>${name ?? email ?? 'a former member'}</span>`;
}

/**
 * Returns a function that returns the name of a member or an API key, for lists where the API returns only
 * their IDs.
 * @param {boolean} [isNeeded] whether any names are needed
 * @returns {(actor: Actor | null) => any}
 */
export function useActors(isNeeded = true) {
  const members = useCall('list_members', isNeeded ? {} : null).body?.data;
  const keys = useCall('list_keys', isNeeded && managesKeys.value ? {} : null).body?.data ?? [];
  return (actor) => {
    if (actor?.key_id) return ofKey(actor.key_id, keys);
    const id = actor?.member_id;
    if (!id) return who(null);
    if (!members) return who({ member_id: id, name: 'a member', email: null });
    const member = members.find((one) => one.member_id === id);
    return who({ member_id: id, name: member ? nameOf(member) : null, email: null });
  };
}

/**
 * @param {string} id
 * @param {{key_id: string, label: string}[]} keys
 */
export function ofKey(id, keys) {
  const label = keys.find((key) => key.key_id === id)?.label;
  return html`<span title=${`Key ID ${id}`}>${label ? `the key “${label}”` : 'an API key'}</span>`;
}
