// Caches responses while the portal is open, so that the same call isn't charged twice.

import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from './client.js';

/** The maximum number of cached responses. The oldest response is evicted first. */
const KEPT = 40;
/** @type {Map<string, any>} */
const kept = new Map();

/** @typedef {{key: string, attempt: number, error: Error}} Failed */

/**
 * @template T
 * @typedef {Omit<import('./use-call.js').Called<T>, 'headers'>} Kept
 */

/**
 * Makes a call unless its response is cached.
 * @template {import('./operations.js').OperationId} Id
 * @param {Id} id a read-only operation
 * @param {import('./client.js').Request<Id> | null} request null to make no call
 * @returns {Kept<import('./types').Answer<Id>>}
 */
export function useKept(id, request) {
  const key = request && `${id} ${JSON.stringify(request)}`;
  const latest = useRef(request);
  latest.current = request;
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(/** @type {Failed | null} */ (null));
  const [, setArrived] = useState('');
  const last = useRef(/** @type {any} */ (null));
  useEffect(() => {
    if (key === null || kept.has(key)) return;
    const controller = new AbortController();
    const given = /** @type {import('./client.js').Request<Id>} */ (latest.current);
    const wanted = { ...given, signal: controller.signal };
    call(id, wanted).then(({ body }) => {
      keep(key, body);
      setArrived(key);
    }, (error) => {
      if (!controller.signal.aborted) setFailed({ key, attempt, error });
    });
    return () => controller.abort();
  }, [key, attempt]);
  const answer = key === null ? null : (kept.get(key) ?? null);
  const error = failed?.key === key && failed.attempt === attempt ? failed.error : null;
  last.current = key === null ? null : (answer ?? last.current);
  const isLoading = key !== null && !answer && !error;
  return { body: last.current, error, isLoading, retry: () => setAttempt(attempt + 1) };
}

/**
 * @param {string} key
 * @param {unknown} answer
 */
function keep(key, answer) {
  kept.set(key, answer);
  if (kept.size > KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
}
