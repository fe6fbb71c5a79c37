// Loads the tile grants for one product page by page.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/client.js';

/** @typedef {import('../../api/types').Schema<'TileGrant'>} TileGrant */

/** The page size. It's the API's maximum, because each call counts toward the rate limit. */
const PAGE = 100;

/**
 * @typedef {object} Grants
 * @property {TileGrant[] | null} list newest first; null until the first page is loaded
 * @property {number} total the number of grants on all pages
 * @property {Error | null} error
 * @property {boolean} isLoading
 * @property {(() => void) | null} more loads the next page; null if all pages are loaded
 * @property {() => void} reload loads the first page again and replaces the list with it
 * @property {(grant: TileGrant) => void} add adds a newly created grant to the list
 */

/**
 * Loads the first page when the component is mounted, and more pages on request.
 * @param {TileGrant['product']} product
 * @returns {Grants}
 */
export function useGrants(product) {
  const [list, setList] = useState(/** @type {TileGrant[] | null} */ (null));
  const [total, setTotal] = useState(0);
  const [next, setNext] = useState(/** @type {string | null} */ (null));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const [wanted, setWanted] = useState({ cursor: /** @type {string | null} */ (null) });
  const [isLoading, setIsLoading] = useState(true);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const read = async () => {
      const { cursor } = wanted;
      const query = cursor === null ? { limit: PAGE } : { limit: PAGE, cursor };
      const { body } = await call('list_tile_grants', { path: { product }, query, signal });
      setList((before) => (cursor === null ? body.data : [...(before ?? []), ...body.data]));
      setTotal(body.pagination.total);
      setNext(body.pagination.cursor ?? null);
    };
    setIsLoading(true);
    setError(null);
    read().catch((failed) => signal.aborted || setError(failed)).finally(() => setIsLoading(false));
    return () => controller.abort();
  }, [product, wanted]);
  const add = (/** @type {TileGrant} */ grant) => {
    setList((before) => [grant, ...(before ?? [])]);
    setTotal(total + 1);
  };
  const more = next === null ? null : () => setWanted({ cursor: next });
  return { list, total, error, isLoading, more, reload: () => setWanted({ cursor: null }), add };
}
