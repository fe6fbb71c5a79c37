// The question before somebody gets another role.

import { html } from 'htm/preact';
import { call } from '../../api/client.js';
import { takeRole } from '../../api/account.js';
import { Question } from '../../ui/dialog.js';
import { nameOf } from './members.js';

/**
 * Asks whether to make a member an owner, or an owner a member.
 * @param {{member: import('./members.js').Member, onChanged: () => void, onClose: () => void}} props
 */
export function ChangeRole({ member, onChanged, onClose }) {
  const role = member.role === 'owner' ? 'member' : 'owner';
  const action = role === 'owner' ? 'Make an owner' : 'Make a member';
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
 * @param {'owner' | 'member'} role
 * @param {boolean} isYou
 */
function explanation(role, isYou) {
  if (role === 'owner') return 'Owners mint and revoke keys, invite people and remove them, you included.';
  const what = 'not manage keys, members and invitations any more';
  if (isYou) return `You will ${what}. Only an owner can give that back.`;
  return `They will ${what}. The keys that they minted go on working.`;
}
