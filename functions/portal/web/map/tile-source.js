// Vector tiles for the portal's own maps: one grant per product and origin, shared by all who work here.

import { call } from '../api/client.js';

const LABEL = 'portal';
/** How long a grant that the portal mints lives, in days. */
const DAYS = 30;
/** A grant that ends sooner than this is not used any more, in milliseconds. */
const SOON = 24 * 60 * 60 * 1000;

/** @typedef {import('./features.js').Kind} Kind */

/** @type {Map<Kind, Promise<import('../api/types').Answer<'read_tilejson'>>>} */
const documents = new Map();

/**
 * Tells whether the maps of these pages show tiles by a grant.
 * @param {{label: string | null, allowed_origins: string[]}} grant
 */
export function isPortals({ label, allowed_origins: origins }) {
  return label === LABEL && origins.includes(location.origin);
}

/**
 * Returns the TileJSON of a kind: of the portal's own grant, which is minted when there is none.
 * @param {Kind} kind
 */
export function tileJson(kind) {
  const known = documents.get(kind);
  if (known) return known;
  const read = grantId(kind).then(async (grant_id) => {
    const { body } = await call('read_tilejson', { path: { product: kind, grant_id } });
    return body;
  });
  read.catch(() => documents.delete(kind));
  documents.set(kind, read);
  return read;
}

/**
 * Forgets a kind's TileJSON, whose tokens have ended; the next one asked for is new.
 * @param {Kind} kind
 */
export function forgetTileJson(kind) {
  documents.delete(kind);
}

/**
 * @param {Kind} product
 * @returns {Promise<string>}
 */
async function grantId(product) {
  const { body } = await call('list_tile_grants', { path: { product } });
  const own = body.data.find((grant) =>
    isPortals(grant) && !grant.revoked_at && Date.parse(grant.expires_at) > Date.now() + SOON);
  if (own) return own.grant_id;
  const minted = await call('mint_tile_grant', {
    path: { product },
    body: { label: LABEL, allowed_origins: [location.origin], expires_in_days: DAYS },
  });
  return minted.body.data.grant_id;
}
