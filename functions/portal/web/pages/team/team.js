// The organization's members and invitations.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useCall } from '../../api/use-call.js';
import { account, leave, managesMembers, organization } from '../../api/account.js';
import { Failure } from '../../ui/failure.js';
import { count, number } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { OwnersOnly } from '../../ui/owners-only.js';
import { nameOf } from '../../ui/who.js';
import { Invitations } from './invitations.js';
import { Members } from './members.js';
import { Outcome, Remove } from './remove.js';
import { ChangeRole } from './role.js';

/** @typedef {import('./members.js').Member} Member */
/** @typedef {import('./remove.js').Removed} Removed */

/** Shows the team. Owners can change it, and other members can only leave. */
export default function Team() {
  return html`<div class="sheet"><${Content} /></div>`;
}

function Content() {
  const isManager = managesMembers.value;
  const { body, error, retry } = useCall('list_members', {});
  const [removing, setRemoving] = useState(/** @type {Member | null} */ (null));
  const [changing, setChanging] = useState(/** @type {import('./members.js').RoleChange | null} */ (null));
  const [removed, setRemoved] = useState(/** @type {Removed | null} */ (null));
  const members = body?.data ?? [];
  const most = organization.value?.limits.members ?? 0;
  const out = (/** @type {Removed} */ answer) => {
    if (answer.member?.is_you) return leave();
    setRemoved(answer);
    retry();
  };
  return html`
    <h1>Team</h1>
    <p>All members use the organization’s credits. Owners also manage keys, webhooks, members, invitations,
      and all tile grants.
      ${body && ` ${number(members.length)} of ${count(most, 'member')}.`}</p>
    ${removed && html`<${Outcome} removed=${removed} onDone=${() => setRemoved(null)} />`}
    <${Failure} error=${error} retry=${retry} />
    ${!body && !error && html`<${Loading} what="the members" lines=${5} />`}
    ${body && html`
      <${Members} members=${members} isManager=${isManager} onRemove=${setRemoving}
        onChangeRole=${setChanging} />`}
    ${isManager ? html`<${Invitations} />` : html`<${Leave} />`}
    ${changing && html`
      <${ChangeRole} change=${changing} onChanged=${retry} onClose=${() => setChanging(null)} />`}
    ${removing && html`
      <${Remove} id=${removing.member_id} name=${nameOf(removing)} isYou=${removing.is_you} isManager
        isLast=${members.length === 1} onRemoved=${out} onClose=${() => setRemoving(null)} />`}`;
}

/** Lets a member who isn't an owner leave. */
function Leave() {
  const [isLeaving, setIsLeaving] = useState(false);
  const { member_id: id = '', name = null, email = null } = account.value?.person ?? {};
  return html`
    <${OwnersOnly} what="invite and remove members">
      <p>You can leave at any time. You’ll need an invitation to rejoin. Tile grants and client links that
        you created keep working until they expire; owners can revoke them.</p>
      <button class="danger" onClick=${() => setIsLeaving(true)}>Leave ${organization.value?.name}…</button>
    <//>
    ${isLeaving && html`
      <${Remove} id=${id} name=${nameOf({ name, email })} isYou isManager=${false} onRemoved=${leave}
        onClose=${() => setIsLeaving(false)} />`}`;
}
