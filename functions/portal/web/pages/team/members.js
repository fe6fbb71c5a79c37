// The table of members.

import { html } from 'htm/preact';
import { ROLES, ROLE_NAMES } from '../../api/roles.js';
import { date } from '../../ui/format.js';
import { Table } from '../../ui/table.js';

/** @typedef {import('../../api/types').Schema<'Member'>} Member */

/** A member and their new role. */
/** @typedef {{member: Member, role: import('../../api/roles.js').Role}} RoleChange */

/**
 * Lists the members, with buttons that change a member's role or remove the member.
 * @param {{members: Member[], onRemove: (member: Member) => void,
 *   onChangeRole: (change: RoleChange) => void}} props
 */
export function Members({ members, onRemove, onChangeRole }) {
  /** @type {import('../../ui/table.js').Column<Member>[]} */
  const columns = [
    {
      title: 'Person',
      cell: (member) => html`${nameOf(member)}${member.is_you && html` <small>(you)</small>`}`,
    },
    { title: 'Role', cell: ({ role }) => ROLES[role].name },
    { title: 'Joined', cell: ({ joined_at: since }) => date(since) },
    {
      title: 'Action',
      cell: (member) => html`
        <span class="row-actions">
          ${otherRoles(member).map((role) => html`
            <button aria-label=${`Make ${ROLES[role].as}: ${nameOf(member)}`}
              onClick=${() => onChangeRole({ member, role })}>
              Make ${ROLES[role].as}…
            </button>`)}
          <button class="danger" aria-label=${member.is_you ? 'Leave' : `Remove ${nameOf(member)}`}
            onClick=${() => onRemove(member)}>${member.is_you ? 'Leave…' : 'Remove…'}</button>
        </span>`,
    },
  ];
  return html`<${Table} isStacked caption="Members" columns=${columns} rows=${members} keyOf=${idOf} />`;
}

/**
 * Returns a member's email address. Returns the member ID if an administrator added the member.
 * @param {Member} member
 */
export function nameOf({ email, member_id: id }) {
  return email ?? `Member ${id}`;
}

/** @param {Member} member */
function otherRoles({ role }) {
  return ROLE_NAMES.filter((other) => other !== role);
}

/** @param {Member} member */
function idOf({ member_id: id }) {
  return id;
}
