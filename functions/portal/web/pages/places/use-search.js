// Searches of places, each made once while the portal is open: going back to one costs nothing.

import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/client.js';

/** @typedef {import('../../api/types').Answer<'search_places'>} PlacesFound */
/** @typedef {import('../../api/types').Schema<'FoundPlace'>} FoundPlace */
/** @typedef {import('./filter.js').PlaceSearchRequest} PlaceSearchRequest */

/** How many answers are kept; the oldest goes first. */
const KEPT = 20;
/** @type {Map<string, PlacesFound>} */
const kept = new Map();

/** @typedef {{key: string, turn: number, error: Error}} Failed */

/**
 * @typedef {object} Search
 * @property {PlacesFound | null} found the newest answer; it stays while a newer one is on its way
 * @property {Error | null} error
 * @property {boolean} isLoading
 * @property {() => void} retry
 */

/**
 * Searches places, unless the same search is known.
 * @param {PlaceSearchRequest | null} wanted null to make none
 * @returns {Search}
 */
export function useSearch(wanted) {
  const key = wanted && JSON.stringify(wanted);
  const [turn, setTurn] = useState(0);
  const [failed, setFailed] = useState(/** @type {Failed | null} */ (null));
  const [, setArrived] = useState('');
  const last = useRef(/** @type {PlacesFound | null} */ (null));
  useEffect(() => {
    if (key === null || kept.has(key)) return;
    const left = new AbortController();
    call('search_places', { body: JSON.parse(key), signal: left.signal }).then(({ body }) => {
      keep(key, body);
      setArrived(key);
    }, (error) => {
      if (!left.signal.aborted) setFailed({ key, turn, error });
    });
    return () => left.abort();
  }, [key, turn]);
  const answer = key === null ? null : (kept.get(key) ?? null);
  const error = failed?.key === key && failed.turn === turn ? failed.error : null;
  last.current = key === null ? null : (answer ?? last.current);
  return {
    found: last.current, error, isLoading: key !== null && !answer && !error, retry: () => setTurn(turn + 1),
  };
}

/**
 * @param {string} key
 * @param {PlacesFound} answer
 */
function keep(key, answer) {
  kept.set(key, answer);
  if (kept.size > KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
}
