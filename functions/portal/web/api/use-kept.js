// Shows responses that are kept in memory for five minutes, so that repeating a call is free.

import { useEffect, useRef, useState } from 'preact/hooks';
import { callKept, keptBody } from './kept.js';

/** @typedef {{key: string, attempt: number, error: Error}} Failed */

/**
 * @template T
 * @typedef {Omit<import('./use-call.js').Called<T>, 'headers'>} Kept
 */

/**
 * Makes a call, unless its response is still in memory.
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
  const [arrived, setArrived] = useState(/** @type {{key: string, body: any} | null} */ (null));
  const last = useRef(/** @type {any} */ (null));
  useEffect(() => {
    if (key === null) return;
    const controller = new AbortController();
    const given = /** @type {import('./client.js').Request<Id>} */ (latest.current);
    callKept(id, given, controller.signal).then((body) => {
      if (!controller.signal.aborted) setArrived({ key, body });
    }, (error) => {
      if (!controller.signal.aborted) setFailed({ key, attempt, error });
    });
    return () => controller.abort();
  }, [key, attempt]);
  const isHere = arrived !== null && arrived.key === key;
  const answer = request === null ? null : isHere ? arrived.body : keptBody(id, request);
  const error = failed?.key === key && failed.attempt === attempt ? failed.error : null;
  last.current = key === null ? null : (answer ?? last.current);
  const isLoading = key !== null && !answer && !error;
  return { body: last.current, error, isLoading, retry: () => setAttempt(attempt + 1) };
}
