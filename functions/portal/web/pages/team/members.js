// The table of members.

import { html } from 'htm/preact';
import { date } from '../../ui/format.js';
import { Table } from '../../ui/table.js';

/** @typedef {import('../../api/types').Schema<'Member'>} Member */

/**
 * Lists who belongs to the organization.
 * @param {{members: Member[], onRemove: (member: Member) => void,
 *   onChangeRole: (member: Member) => void}} props
 */
export function Members({ members, onRemove, onChangeRole }) {
  /** @type {import('../../ui/table.js').Column<Member>[]} */
  const columns = [
    {
      title: 'Person',
      cell: (member) => html`${nameOf(member)}${member.is_you && html` <small>(you)</small>`}`,
    },
    { title: 'Role', cell: ({ role }) => (role === 'owner' ? 'Owner' : 'Member') },
    { title: 'Since', cell: ({ joined_at: since }) => date(since) },
    {
      title: 'Action',
      cell: (member) => html`
        <span class="row-actions">
          <button aria-label=${`Make ${otherRole(member)}: ${nameOf(member)}`}
            onClick=${() => onChangeRole(member)}>
            Make ${otherRole(member)}…
          </button>
          <button class="danger" aria-label=${member.is_you ? 'Leave' : `Remove ${nameOf(member)}`}
            onClick=${() => onRemove(member)}>${member.is_you ? 'Leave…' : 'Remove…'}</button>
        </span>`,
    },
  ];
  return html`<${Table} isStacked caption="Members" columns=${columns} rows=${members} keyOf=${idOf} />`;
}

/**
 * Names a member: by their address, or by their handle where the operator took them in.
 * @param {Member} member
 */
export function nameOf({ email, member_id: id }) {
  return email ?? `member ${id}`;
}

/** @param {Member} member */
function otherRole({ role }) {
  return role === 'owner' ? 'a member' : 'an owner';
}

/** @param {Member} member */
function idOf({ member_id: id }) {
  return id;
}
