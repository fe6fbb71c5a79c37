// The table of one product's grants.

import { html } from 'htm/preact';
import { isPortals } from '../../map/tile-source.js';
import { Copy } from '../../ui/copy.js';
import { Failure } from '../../ui/failure.js';
import { count, date, number, time } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Table } from '../../ui/table.js';

/** @typedef {import('./use-grants.js').TileGrant} TileGrant */

/**
 * @typedef {object} Props
 * @property {string} title
 * @property {import('./use-grants.js').Grants} grants
 * @property {ReturnType<typeof import('./use-makers.js').useMakers>} makers
 * @property {(grant: TileGrant) => void} onRevoke
 */

/**
 * Lists a product's grants, those that ended too: the service forgets them after 30 days.
 * @param {Props} props
 */
export function GrantsOf({ title, grants, makers, onRevoke }) {
  const { list, total, error, isLoading, more, reload } = grants;
  return html`
    <section>
      <h2>${title}</h2>
      <${Failure} error=${error} retry=${reload} />
      ${!list && isLoading && html`<${Loading} what=${`the grants of ${title.toLowerCase()}`} />`}
      ${list?.length === 0 && html`<p>No site shows ${title.toLowerCase()} on a map yet.</p>`}
      ${list && list.length > 0 && html`
        <${Table} isStacked caption=${`Grants of ${title.toLowerCase()}`} isCaptionHidden
          columns=${columnsWith(makers, onRevoke)} rows=${list}
          keyOf=${(/** @type {TileGrant} */ { grant_id: id }) => id} />`}
      ${list && more && html`
        <p>Showing ${number(list.length)} of ${count(total, 'grant')}.
          <button disabled=${isLoading} onClick=${more}>Show more · free</button></p>`}
    </section>`;
}

/**
 * @param {Props['makers']} makers
 * @param {Props['onRevoke']} onRevoke
 * @returns {import('../../ui/table.js').Column<TileGrant>[]}
 */
function columnsWith(makers, onRevoke) {
  return [
    {
      title: 'For',
      cell: (grant) => html`<strong class="label">${grant.label ?? '–'}</strong>${portalMark(grant)}`,
    },
    {
      title: 'Origins',
      cell: ({ allowed_origins: origins }) => origins.map((origin) => html`<div>${origin}</div>`),
    },
    {
      title: 'Minted',
      cell: ({ created_at: at, created_by: by }) => html`${date(at)}<br /><small>by ${makers(by)}</small>`,
    },
    { title: 'State', cell: (grant) => state(grant, makers) },
    {
      title: 'TileJSON',
      cell: (grant) => isLive(grant) && html`
        <${Copy} text=${grant.tilejson_url} what="the TileJSON address" isTextHidden />`,
    },
    {
      title: 'Action',
      cell: (grant) => isLive(grant) && html`
        <button class="danger" aria-label=${`Revoke ${grant.label ?? 'the grant without a label'}`}
          onClick=${() => onRevoke(grant)}>Revoke…</button>`,
    },
  ];
}

/** @param {TileGrant} grant */
function portalMark(grant) {
  return isPortals(grant) && html`<br /><small>This portal’s own maps use it.</small>`;
}

/**
 * @param {TileGrant} grant
 * @param {Props['makers']} makers
 */
function state(grant, makers) {
  const { revoked_at: revoked, revoked_by: by } = grant;
  if (revoked) return html`Revoked<br /><small>${date(revoked)} by ${makers(by)}</small>`;
  if (!isLive(grant)) return html`Expired<br /><small>${date(grant.expires_at)}</small>`;
  return html`Works<br /><small>until ${time(grant.expires_at)}</small>`;
}

/** @param {TileGrant} grant */
function isLive({ revoked_at: revoked, expires_at: ends }) {
  return !revoked && Date.parse(ends) > Date.now();
}
