// The table of the tile grants for one product.

import { html } from 'htm/preact';
import { isPortals } from '../../map/tile-source.js';
import { account, managesTileGrants } from '../../api/account.js';
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
 * @property {ReturnType<typeof import('../../ui/who.js').useActors>} creators
 * @property {(grant: TileGrant) => void} onRevoke
 */

/**
 * Lists a product's grants. Ended grants are deleted after 30 days.
 * @param {Props} props
 */
export function GrantsOf({ title, grants, creators, onRevoke }) {
  const { list, total, error, isLoading, more, reload } = grants;
  return html`
    <section>
      <h2>${title}</h2>
      <${Failure} error=${error} retry=${reload} />
      ${!list && isLoading && html`<${Loading} what=${`grants for ${title.toLowerCase()}`} />`}
      ${list?.length === 0 && html`<p>No grants for ${title.toLowerCase()} yet.</p>`}
      ${list && list.length > 0 && html`
        <${Table} isStacked caption=${`Grants for ${title.toLowerCase()}`} isCaptionHidden
          columns=${columnsWith(creators, onRevoke)} rows=${list}
          keyOf=${(/** @type {TileGrant} */ { grant_id: id }) => id} />`}
      ${list && more && html`
        <p>Showing ${number(list.length)} of ${count(total, 'grant')}.
          <button disabled=${isLoading} onClick=${more}>Show more · free</button></p>`}
    </section>`;
}

/**
 * @param {Props['creators']} creators
 * @param {Props['onRevoke']} onRevoke
 * @returns {import('../../ui/table.js').Column<TileGrant>[]}
 */
function columnsWith(creators, onRevoke) {
  return [
    {
      title: 'Label',
      cell: (grant) => html`
        <strong class="label">${grant.label ?? '–'}</strong>${portalMark(grant)}${visitsMark(grant)}`,
    },
    {
      title: 'Origins',
      cell: ({ allowed_origins: origins }) => origins.map((origin) => html`<div>${origin}</div>`),
    },
    {
      title: 'Created',
      cell: ({ created_at: at, created_by: by }) => html`${date(at)}<br /><small>by ${creators(by)}</small>`,
    },
    { title: 'State', cell: (grant) => state(grant, creators) },
    {
      title: 'TileJSON',
      cell: (grant) => isLive(grant) && html`
        <${Copy} text=${grant.tilejson_url} what="TileJSON URL" isTextHidden />`,
    },
    {
      title: 'Action',
      cell: (grant) => isLive(grant) && mayRevoke(grant) && html`
        <button class="danger" aria-label=${`Revoke ${grant.label ?? 'grant without a label'}`}
          onClick=${() => onRevoke(grant)}>Revoke…</button>`,
    },
  ];
}

/**
 * Returns whether the person can revoke a grant: owners can revoke all grants, and members only their own.
 * @param {TileGrant} grant
 */
function mayRevoke({ responsible_member_id: responsible }) {
  return managesTileGrants.value || responsible === account.value?.person.member_id;
}

/** @param {TileGrant} grant */
function portalMark(grant) {
  return isPortals(grant) && html`<br /><small>Used by this portal’s maps</small>`;
}

/** @param {TileGrant} grant */
function visitsMark({ include_visits: hasVisits }) {
  return hasVisits && html`<br /><small>Includes weekly visits</small>`;
}

/**
 * @param {TileGrant} grant
 * @param {Props['creators']} creators
 */
function state(grant, creators) {
  const { revoked_at: revoked, revoked_by: by } = grant;
  if (revoked) return html`Revoked<br /><small>${date(revoked)} by ${creators(by)}</small>`;
  if (!isLive(grant)) return html`Expired<br /><small>${date(grant.expires_at)}</small>`;
  return html`Active<br /><small>until ${time(grant.expires_at)}</small>`;
}

/** @param {TileGrant} grant */
function isLive({ revoked_at: revoked, expires_at: ends }) {
  return !revoked && Date.parse(ends) > Date.now();
}
