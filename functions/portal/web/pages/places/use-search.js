// Place searches, and a cache of the places that they found.

import { useMemo } from 'preact/hooks';
import { useKept } from '../../api/use-kept.js';

/** @typedef {import('../../api/types').Answer<'search_places'>} PlacesFound */
/** @typedef {import('../../api/types').Schema<'FoundPlace'>} FoundPlace */
/** @typedef {import('./filter.js').PlaceSearchRequest} PlaceSearchRequest */

/** All found places by id; null for ids that the release doesn't contain. */
const known = /** @type {Map<string, FoundPlace | null>} */ (new Map());

/**
 * @typedef {object} Search
 * @property {PlacesFound | null} found the last response; it stays while the next one loads
 * @property {Error | null} error
 * @property {boolean} isLoading
 * @property {() => void} retry
 */

/**
 * Searches places, unless the response is cached.
 * @param {PlaceSearchRequest | null} wanted null for no search
 * @returns {Search}
 */
export function useSearch(wanted) {
  const { body: found, ...state } = useKept('search_places', wanted && { body: wanted });
  useMemo(() => {
    for (const place of found?.data.results ?? []) known.set(place.place_id ?? '', place);
  }, [found]);
  return { found, ...state };
}

/**
 * Looks up places by id, with one search for unknown ids.
 * @param {string[]} ids digits only
 * @returns {{places: (FoundPlace | null)[] | null, error: Error | null, retry: () => void}} `places` in the
 *   order of the ids, null for unknown ids; null until all are loaded
 */
export function usePlaces(ids) {
  const plain = ids.map((id) => String(Number(id)));
  const wanted = useMemo(() => lookUp(plain.filter((id) => !known.has(id))), [plain.join()]);
  const { found, isLoading, error, retry } = useSearch(wanted);
  if (wanted && found && !isLoading) {
    for (const id of plain) known.set(id, known.get(id) ?? null);
  }
  const isReady = plain.every((id) => known.has(id));
  return { places: isReady ? plain.map((id) => known.get(id) ?? null) : null, error, retry };
}

/**
 * @param {string[]} ids
 * @returns {PlaceSearchRequest | null}
 */
function lookUp(ids) {
  if (ids.length === 0) return null;
  return { filter: { place_ids: ids }, pagination: { page: 1, page_size: ids.length } };
}
