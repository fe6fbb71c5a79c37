// Keeps responses in memory, so that repeating a call within five minutes is free.

import { whenOrganizationChanges } from './account.js';
import { call } from './client.js';

/** How long a response is kept, in milliseconds. */
const FRESH = 5 * 60_000;
/** The maximum number of kept responses. The oldest one is evicted first. */
const MOST = 40;

/** @type {Map<string, {body: any, until: number}>} */
const kept = new Map();

whenOrganizationChanges(() => kept.clear());

/**
 * Returns the body of a response that is still in memory, or null.
 * @template {import('./operations.js').OperationId} Id
 * @param {Id} id
 * @param {import('./client.js').Request<Id>} request
 * @returns {import('./types').Answer<Id> | null}
 */
export function keptBody(id, request) {
  const found = kept.get(keyOf(id, request));
  return found && found.until > Date.now() ? found.body : null;
}

/**
 * Returns the body of a response that is still in memory. Otherwise, makes the call and keeps its response.
 * @template {import('./operations.js').OperationId} Id
 * @param {Id} id a read-only operation
 * @param {import('./client.js').Request<Id>} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('./types').Answer<Id>>}
 */
export async function callKept(id, request, signal) {
  const found = keptBody(id, request);
  if (found) return found;
  const { body } = await call(id, { ...request, signal });
  const key = keyOf(id, request);
  kept.delete(key);
  kept.set(key, { body, until: Date.now() + FRESH });
  if (kept.size > MOST) kept.delete(/** @type {string} */ (kept.keys().next().value));
  return body;
}

/**
 * @param {string} id
 * @param {object} request
 */
function keyOf(id, request) {
  return `${id} ${JSON.stringify(request)}`;
}
