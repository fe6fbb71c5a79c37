// The tables of keys.

import { html } from 'htm/preact';
import { Copy } from '../../ui/copy.js';
import { count, date, time } from '../../ui/format.js';
import { Table } from '../../ui/table.js';
import { who } from '../../ui/who.js';

/** @typedef {import('../../api/types').Schema<'ApiKey'>} ApiKey */
/** @typedef {import('../../ui/table.js').Column<ApiKey>} Column */

/** @type {Column[]} */
const NAMED = [
  { title: 'For', cell: ({ label }) => html`<strong class="label">${label}</strong>` },
  { title: 'Key', cell: ({ last_four: digits }) => html`<code>mq_live_…${digits}</code>` },
  {
    title: 'Scopes',
    cell: ({ scopes }) => html`
      <span class="tags">${scopes.map((scope) => html`<code>${scope}</code>`)}</span>`,
  },
  {
    title: 'Minted',
    cell: ({ created_by: by, created_at: at }) => html`${date(at)}<br /><small>by ${who(by)}</small>`,
  },
];

/**
 * Lists the keys that work.
 * @param {{keys: ApiKey[], onRevoke: (key: ApiKey) => void}} props
 */
export function LiveKeys({ keys, onRevoke }) {
  /** @type {Column[]} */
  const columns = [
    ...NAMED,
    { title: 'Ends', cell: ({ expires_at: ends }) => (ends ? time(ends) : 'Never') },
    { title: 'Id', cell: ({ key_id: id }) => html`<${Copy} text=${id} what="the key's id" />` },
    {
      title: 'Action',
      cell: (key) => html`
        <button class="danger" aria-label=${`Revoke ${key.label}`} onClick=${() => onRevoke(key)}>
          Revoke…
        </button>`,
    },
  ];
  return html`<${Table} isStacked caption="Keys that work" columns=${columns} rows=${keys} keyOf=${idOf} />`;
}

/**
 * Lists the keys that were revoked or have expired, behind a word: they open nothing.
 * @param {{keys: ApiKey[]}} props
 */
export function EndedKeys({ keys }) {
  if (keys.length === 0) return null;
  /** @type {Column[]} */
  const columns = [...NAMED, { title: 'Ended', cell: ending }];
  return html`
    <details class="ended">
      <summary>${count(keys.length, 'key')} that ended</summary>
      <${Table} isStacked caption="Keys that ended" isCaptionHidden columns=${columns} rows=${keys}
        keyOf=${idOf} />
    </details>`;
}

/** @param {ApiKey} key */
function ending({ state, expires_at: expired, revoked_at: revoked, revoked_by: by }) {
  if (state === 'expired') return html`expired<br /><small>${time(expired)}</small>`;
  return html`revoked<br /><small>${time(revoked)} by ${who(by)}</small>`;
}

/** @param {ApiKey} key */
function idOf({ key_id: id }) {
  return id;
}
