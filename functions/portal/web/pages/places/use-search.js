// Searches of places, and the places that they have named so far, which are not looked up again.

import { useMemo } from 'preact/hooks';
import { useKept } from '../../api/use-kept.js';

/** @typedef {import('../../api/types').Answer<'search_places'>} PlacesFound */
/** @typedef {import('../../api/types').Schema<'FoundPlace'>} FoundPlace */
/** @typedef {import('./filter.js').PlaceSearchRequest} PlaceSearchRequest */

/** Every place that a search has named, by its id; null for an id that the release does not have. */
const known = /** @type {Map<string, FoundPlace | null>} */ (new Map());

/**
 * @typedef {object} Search
 * @property {PlacesFound | null} found the newest answer; it stays while a newer one is on its way
 * @property {Error | null} error
 * @property {boolean} isLoading
 * @property {() => void} retry
 */

/**
 * Searches places, unless the same search has been made.
 * @param {PlaceSearchRequest | null} wanted null to make none
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
 * Looks places up by their ids: those that are not known yet, with one search.
 * @param {string[]} ids digits alone
 * @returns {{places: (FoundPlace | null)[] | null, error: Error | null, retry: () => void}} `places` in the
 *   order of the ids, null for one that the release does not have; null before all of them are known
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
