// The list of invitations, and the link of a new invitation.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { useCall } from '../../api/use-call.js';
import { ROLES } from '../../api/roles.js';
import { Question } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { date, time } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Secret } from '../../ui/secret.js';
import { Table } from '../../ui/table.js';
import { who } from '../../ui/who.js';
import { Invite } from './invite.js';

/** @typedef {import('../../api/types').Schema<'Invitation'>} Invitation */
/** @typedef {import('./invite.js').NewInvitation} NewInvitation */

/**
 * The texts that state whether the link was sent by email, and what the owner has to do.
 * @type {Record<string, (email: string) => string>}
 */
const DELIVERIES = {
  sent: (email) => `We sent this link to ${email}. If the message doesn’t arrive, send the link yourself.`,
  failed: (email) => `We couldn’t send a message to ${email}. Send this link yourself.`,
  limit_reached: (email) => 'Your organization has reached today’s limit for invitation emails. Send '
    + `this link to ${email} yourself.`,
  off: (email) => `Send this link to ${email} yourself; this service doesn’t send email.`,
};

const STATES = { live: 'Pending', accepted: 'Accepted', revoked: 'Revoked', expired: 'Expired' };

/** Shows the invitations and a form for a new one. */
export function Invitations() {
  const { body, error, retry } = useCall('list_invitations', {});
  const [made, setMade] = useState(/** @type {NewInvitation | null} */ (null));
  const [ending, setEnding] = useState(/** @type {Invitation | null} */ (null));
  const show = (/** @type {NewInvitation} */ invitation) => {
    setMade(invitation);
    retry();
  };
  return html`
    <h2>Invite a colleague</h2>
    <${Invite} onInvited=${show} />
    ${made && html`
      <${Secret} title=${`Invitation for ${made.email}`} text=${made.link} what="the link"
        onDone=${() => setMade(null)}>
        <p>${(DELIVERIES[made.mail] ?? DELIVERIES.off)(made.email)} The link can be used only once, and only by that
          address. It expires on ${time(made.expires_at)}.</p>
      <//>`}
    <${Failure} error=${error} retry=${retry} />
    ${!body && !error && html`<${Loading} what="the invitations" lines=${2} />`}
    ${body && html`<${List} invitations=${body.data} onRevoke=${setEnding} />`}
    ${ending && html`
      <${Revoke} invitation=${ending} onClose=${() => setEnding(null)} onRevoked=${retry} />`}`;
}

/** @param {{invitations: Invitation[], onRevoke: (invitation: Invitation) => void}} props */
function List({ invitations, onRevoke }) {
  if (invitations.length === 0) return html`<p>No invitations in the last 30 days.</p>`;
  /** @type {import('../../ui/table.js').Column<Invitation>[]} */
  const columns = [
    { title: 'Email', cell: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => ROLES[role].name },
    { title: 'State', cell: ({ state }) => STATES[state] },
    {
      title: 'Invited',
      cell: ({ created_by: by, created_at: at }) => html`${date(at)}<br /><small>by ${who(by)}</small>`,
    },
    { title: 'Expires', cell: ({ state, expires_at: ends }) => (state === 'live' ? time(ends) : '–') },
    {
      title: 'Action',
      cell: (invitation) => invitation.state === 'live' && html`
        <button class="danger" aria-label=${`Revoke the invitation for ${invitation.email}`}
          onClick=${() => onRevoke(invitation)}>Revoke…</button>`,
    },
  ];
  return html`
    <${Table} isStacked caption="Invitations of the last 30 days" columns=${columns} rows=${invitations}
      keyOf=${(/** @type {Invitation} */ { invitation_id: id }) => id} />`;
}

/** @param {{invitation: Invitation, onClose: () => void, onRevoked: () => void}} props */
function Revoke({ invitation, onClose, onRevoked }) {
  const run = async () => {
    await call('revoke_invitation', { path: { invitation_id: invitation.invitation_id } });
    onRevoked();
  };
  return html`
    <${Question} title="Revoke this invitation?" name=${invitation.email} action="Revoke invitation"
      run=${run} onClose=${onClose}>
      <p>The link stops working. You can invite this person again.</p>
    <//>`;
}
