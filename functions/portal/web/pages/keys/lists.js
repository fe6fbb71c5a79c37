// The tables of active and inactive keys.

import { html } from 'htm/preact';
import { Copy } from '../../ui/copy.js';
import { count, date, time } from '../../ui/format.js';
import { Table } from '../../ui/table.js';
import { who } from '../../ui/who.js';

/** @typedef {import('../../api/types').Schema<'ApiKey'>} ApiKey */
/** @typedef {import('../../ui/table.js').Column<ApiKey>} Column */

/** @type {Column[]} */
const NAMED = [
  { title: 'Label', cell: ({ label }) => html`<strong class="label">${label}</strong>` },
  { title: 'Key', cell: ({ last_four: digits }) => html`<code>mq_live_…${digits}</code>` },
  {
    title: 'Scopes',
    cell: ({ scopes }) => html`
      <span class="tags">${scopes.map((scope) => html`<code>${scope}</code>`)}</span>`,
  },
  {
    title: 'Created',
    cell: ({ created_by: by, created_at: at }) => html`${date(at)}<br /><small>by ${who(by)}</small>`,
  },
];

/**
 * Lists the active keys.
 * @param {{keys: ApiKey[], onRevoke: (key: ApiKey) => void}} props
 */
export function LiveKeys({ keys, onRevoke }) {
  /** @type {Column[]} */
  const columns = [
    ...NAMED,
    { title: 'Expires', cell: ({ expires_at: ends }) => (ends ? time(ends) : 'Never') },
    { title: 'ID', cell: ({ key_id: id }) => html`<${Copy} text=${id} what="key ID" />` },
    {
      title: 'Action',
      cell: (key) => html`
        <button class="danger" aria-label=${`Revoke ${key.label}`} onClick=${() => onRevoke(key)}>
          Revoke…
        </button>`,
    },
  ];
  return html`<${Table} isStacked caption="Active keys" columns=${columns} rows=${keys} keyOf=${idOf} />`;
}

/**
 * Lists the revoked and expired keys in a collapsed section.
 * @param {{keys: ApiKey[]}} props
 */
export function EndedKeys({ keys }) {
  if (keys.length === 0) return null;
  /** @type {Column[]} */
  const columns = [...NAMED, { title: 'Ended', cell: ending }];
  return html`
    <details class="ended">
      <summary>${count(keys.length, 'inactive key')}</summary>
      <${Table} isStacked caption="Inactive keys" isCaptionHidden columns=${columns} rows=${keys}
        keyOf=${idOf} />
    </details>`;
}

/** @param {ApiKey} key */
function ending({ state, expires_at: expired, revoked_at: revoked, revoked_by: by }) {
  if (state === 'expired') return html`Expired<br /><small>${time(expired)}</small>`;
  return html`Revoked<br /><small>${time(revoked)} by ${who(by)}</small>`;
}

/** @param {ApiKey} key */
function idOf({ key_id: id }) {
  return id;
}
