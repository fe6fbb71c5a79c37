// The dialog that changes a member's role.

import { html } from 'htm/preact';
import { call } from '../../api/client.js';
import { takeRole } from '../../api/account.js';
import { ROLES, may } from '../../api/roles.js';
import { Question } from '../../ui/dialog.js';
import { nameOf } from '../../ui/who.js';
import { MemberDetails } from './member-details.js';

/** @typedef {import('../../api/roles.js').Role} Role */

/**
 * Asks for confirmation and changes the role.
 * @param {{change: import('./members.js').RoleChange, onChanged: () => void, onClose: () => void}} props
 */
export function ChangeRole({ change: { member, role }, onChanged, onClose }) {
  const action = `Make ${ROLES[role].as}`;
  const run = async () => {
    await call('edit_member', { path: { member_id: member.member_id }, body: { role } });
    if (member.is_you) takeRole(role);
    else onChanged();
  };
  return html`
    <${Question} title=${`${action}?`} name=${nameOf(member)} action=${action} keep="Cancel" run=${run}
      onClose=${onClose}>
      <p>${explanation(role, member.is_you)}</p>
      <${MemberDetails} id=${member.member_id} />
    <//>`;
}

/**
 * @param {Role} role
 * @param {boolean} isYou
 */
function explanation(role, isYou) {
  if (may(role, 'manage_members')) {
    return 'Owners can create and revoke keys, manage webhooks, revoke all tile grants, and invite and '
      + 'remove people, including you.';
  }
  const what = 'no longer be able to manage keys, webhooks, members, and invitations';
  if (isYou) return `You’ll ${what}. Only an owner can undo this.`;
  return `They’ll ${what}. Keys, webhooks, tile grants, and client links they created keep working.`;
}
