// The table of members.

import { html } from 'htm/preact';
import { ROLES, ROLE_NAMES } from '../../api/roles.js';
import { date } from '../../ui/format.js';
import { Table } from '../../ui/table.js';
import { nameOf } from '../../ui/who.js';

/** @typedef {import('../../api/types').Schema<'Member'>} Member */

/** A member and their new role. */
/** @typedef {{member: Member, role: import('../../api/roles.js').Role}} RoleChange */

/** @typedef {import('../../ui/table.js').Column<Member>} Column */

/** @type {Column[]} */
const DESCRIBED = [
  {
    title: 'Person',
    cell: (member) => html`
      <span title=${`Member ID ${member.member_id}`}>${nameOf(member)}</span>
      ${member.is_you && html` <small>(you)</small>`}
      ${member.name && member.email && html`<br /><small>${member.email}</small>`}`,
  },
  { title: 'Role', cell: ({ role }) => ROLES[role].name },
  { title: 'Joined', cell: ({ joined_at: since }) => date(since) },
];

/**
 * Lists the members. Owners also see buttons that change a member's role or remove the member.
 * @param {{members: Member[], isManager: boolean, onRemove: (member: Member) => void,
 *   onChangeRole: (change: RoleChange) => void}} props
 */
export function Members({ members, isManager, onRemove, onChangeRole }) {
  /** @type {Column[]} */
  const columns = !isManager ? DESCRIBED : [
    ...DESCRIBED,
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

/** @param {Member} member */
function otherRoles({ role }) {
  return ROLE_NAMES.filter((other) => other !== role);
}

/** @param {Member} member */
function idOf({ member_id: id }) {
  return id;
}
