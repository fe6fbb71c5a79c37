// Place searches, and a cache of the places that they found.

import { useMemo } from 'preact/hooks';
import { useKept } from '../../api/use-kept.js';

/** @typedef {import('../../api/types').Answer<'search_places'>} PlacesFound */
/** @typedef {import('../../api/types').Schema<'FoundPlace'>} FoundPlace */
/** @typedef {import('./filter.js').PlaceSearchRequest} PlaceSearchRequest */

/** All places found so far, by ID. IDs that aren't in the data release map to null. */
const known = /** @type {Map<string, FoundPlace | null>} */ (new Map());

/**
 * @typedef {object} Search
 * @property {PlacesFound | null} found the last response, which is kept while the next one loads
 * @property {Error | null} error
 * @property {boolean} isLoading
 * @property {() => void} retry
 */

/**
 * Searches for places, or returns the cached response of an identical search.
 * @param {PlaceSearchRequest | null} wanted the request, or null to skip the search
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
 * Looks up places by ID. One search loads all places that aren't cached yet.
 * @param {string[]} ids strings of digits
 * @returns {{places: (FoundPlace | null)[] | null, error: Error | null, retry: () => void}} `places` is null
 *   until all places are loaded; then it has the same order as `ids`, with null for each unknown ID
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
