// Makes a call when a component mounts, and aborts it when the component unmounts.

import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from './client.js';

/**
 * @template T
 * @typedef {object} Called
 * @property {T | null} body the body of the last response, kept while the next call runs
 * @property {Headers | null} headers
 * @property {Error | null} error
 * @property {boolean} isLoading
 * @property {() => void} retry makes the call again
 */

/**
 * @template T
 * @typedef {Pick<Called<T>, 'body' | 'headers' | 'error'>} Outcome
 */

/**
 * @template {import('./operations.js').OperationId} Id
 * @typedef {import('./client.js').Request<Id>} Wanted
 */

const NOTHING_YET = { body: null, headers: null, error: null };

/**
 * Makes a call when the component mounts and whenever the request changes.
 * @template {import('./operations.js').OperationId} Id
 * @param {Id} id
 * @param {import('./client.js').Request<Id> | null} request null to make no call
 * @returns {Called<import('./types').Answer<Id>>}
 */
export function useCall(id, request) {
  const [state, setState] = useState(/** @type {Outcome<import('./types').Answer<Id>>} */ (NOTHING_YET));
  const [isLoading, setIsLoading] = useState(request !== null);
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(request);
  latest.current = request;
  const key = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    if (key === null) return;
    const controller = new AbortController();
    setIsLoading(true);
    const done = (/** @type {Partial<Outcome<import('./types').Answer<Id>>>} */ next) => {
      if (controller.signal.aborted) return;
      setState((before) => ({ ...before, error: null, ...next }));
      setIsLoading(false);
    };
    const wanted = { .../** @type {Wanted<Id>} */ (latest.current), signal: controller.signal };
    call(id, wanted).then(({ body, headers }) => done({ body, headers }), (error) => done({ error }));
    return () => controller.abort();
  }, [id, key, attempt]);
  return { ...state, isLoading, retry: () => setAttempt((now) => now + 1) };
}
