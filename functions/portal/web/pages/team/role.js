// The question before somebody gets another role.

import { html } from 'htm/preact';
import { call } from '../../api/client.js';
import { takeRole } from '../../api/account.js';
import { ROLES, may } from '../../api/roles.js';
import { Question } from '../../ui/dialog.js';
import { nameOf } from './members.js';

/** @typedef {import('../../api/roles.js').Role} Role */

/**
 * Asks whether to give a member another role.
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
    <${Question} title=${`${action}?`} name=${nameOf(member)} action=${action} keep="Leave it" run=${run}
      onClose=${onClose}>
      <p>${explanation(role, member.is_you)}</p>
    <//>`;
}

/**
 * @param {Role} role
 * @param {boolean} isYou
 */
function explanation(role, isYou) {
  if (may(role, 'manage_members')) {
    return 'Owners mint and revoke keys, invite people and remove them, you included.';
  }
  const what = 'not manage keys, members and invitations any more';
  if (isYou) return `You will ${what}. Only an owner can give that back.`;
  return `They will ${what}. The keys that they minted go on working.`;
}
