// Loads the list of a library's assets page by page.

import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/client.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('./family.js').Listed} Listed */

/** The number of assets per page. */
const LIMIT = 25;

/** @type {{rows: Listed[], cursor: string | null, hasMore: boolean, error: Error | null}} */
const NONE = { rows: [], cursor: null, hasMore: false, error: null };

/**
 * Loads the first page of a list, and further pages on request. Clears the list when the filters change.
 * @param {Family} family
 * @param {import('./filters.js').ListFilters} filters
 */
export function usePages(family, filters) {
  const key = `${family.one} ${JSON.stringify(filters)}`;
  const [loaded, setLoaded] = useState({ key, ...NONE });
  const [isLoading, setIsLoading] = useState(true);
  const controller = useRef(new AbortController());
  const state = loaded.key === key ? loaded : { key, ...NONE };
  const load = async (/** @type {string | null} */ cursor) => {
    const { signal } = controller.current;
    setIsLoading(true);
    const next = await page(family, filters, cursor, signal).catch((error) => ({ error }));
    if (signal.aborted) return;
    setIsLoading(false);
    setLoaded((before) => {
      const base = before.key === key ? before : { key, ...NONE };
      if ('error' in next) return { ...base, error: next.error };
      return { key, ...next, rows: [...base.rows, ...next.rows], error: null };
    });
  };
  useEffect(() => {
    controller.current = new AbortController();
    load(null);
    return () => controller.current.abort();
  }, [key]);
  const more = () => load(state.cursor);
  return { ...state, isLoading: isLoading || loaded.key !== key, more, retry: more };
}

/**
 * @param {Family} family
 * @param {import('./filters.js').ListFilters} filters
 * @param {string | null} cursor
 * @param {AbortSignal} signal
 */
async function page(family, { state, name, own, since }, cursor, signal) {
  const query = /** @type {any} */ ({
    state, name, customer_scenario_id: own, updated_since: since && `${since}T00:00:00Z`,
    fields: family.listed, limit: LIMIT, cursor: cursor ?? undefined,
  });
  const { body } = await call(family.list, { query, signal });
  const rows = /** @type {Listed[]} */ (body.data);
  return { rows, cursor: body.pagination.cursor, hasMore: body.pagination.has_more };
}
