// Calls the public API. Only this module adds tokens to calls, builds API URLs, and parses responses.

import { configuration } from '../configuration.js';
import { isLeaving, renew, token } from '../session/session.js';
import { ApiError, NetworkError, SignedOutError } from './errors.js';
import { note, startCall } from './limits.js';
import { OPERATIONS } from './operations.js';
import { untilAllowed, waitAfter } from './waiting.js';

/**
 * @template {import('./operations.js').OperationId} Id
 * @typedef {import('./types').Arguments<Id> & {signal?: AbortSignal, accept?: string}} Request
 */

/**
 * A response. The body is parsed JSON, or a string if the content type isn't JSON.
 * @template T
 * @typedef {{body: T, headers: Headers, status: number}} Answered
 */

/** The maximum number of times that a call is retried because of a call limit. */
const MOST_WAITS = 3;

/**
 * Calls an operation of openapi.yaml. If a call limit is reached, waits until it resets. If the API rejects
 * the token, renews the token and repeats the call; the person may have to sign in again. Repeating the call
 * is safe because a rejected call has no effect.
 * @template {import('./operations.js').OperationId} Id
 * @param {Id} id
 * @param {Request<Id>} [request] path, query, headers, and body, as openapi.yaml defines them
 * @returns {Promise<Answered<import('./types').Answer<Id>>>}
 * @throws {ApiError | NetworkError | SignedOutError} also an `AbortError` if `signal` aborts the call
 */
export async function call(id, request) {
  const given = /** @type {AnyRequest} */ (request ?? {});
  if (isLeaving.value) throw new SignedOutError();
  await untilAllowed(id, given.signal);
  const response = await sendInTurn(id, given);
  const body = await read(response);
  if (!response.ok) throw new ApiError(id, response, body);
  return { body, headers: response.headers, status: response.status };
}

/**
 * @typedef {object} AnyRequest
 * @property {Record<string, string>} [path]
 * @property {Record<string, unknown>} [query]
 * @property {Record<string, string>} [headers]
 * @property {unknown} [body]
 * @property {AbortSignal} [signal]
 * @property {string} [accept]
 */

/**
 * Sends a call, and retries it if it's refused because of a call limit.
 * @param {import('./operations.js').OperationId} id
 * @param {AnyRequest} request
 */
async function sendInTurn(id, request) {
  for (let waits = 0; ; waits += 1) {
    const response = await sendSignedIn(id, request);
    const isRefused = response.status === 429 && waits < MOST_WAITS;
    if (!isRefused || !(await waitAfter(id, response, request.signal))) return response;
  }
}

/**
 * Sends a call, and repeats it with a new token if the API rejects the token.
 * @param {import('./operations.js').OperationId} id
 * @param {AnyRequest} request
 */
async function sendSignedIn(id, request) {
  const end = startCall(id);
  const startedAt = performance.now();
  try {
    let response = await send(id, request);
    if (response.status === 401) {
      if (!(await renew())) throw new SignedOutError();
      response = await send(id, request);
    }
    note(id, response.headers, startedAt);
    return response;
  } finally {
    end();
  }
}

/**
 * @param {import('./operations.js').OperationId} id
 * @param {AnyRequest} request
 * @returns {Promise<Response>}
 */
async function send(id, { path = {}, query = {}, headers = {}, body, signal, accept }) {
  const [method] = OPERATIONS[id];
  const sent = new Headers({ Accept: accept ?? 'application/json', ...headers });
  const bearer = token();
  if (bearer) sent.set('Authorization', `Bearer ${bearer}`);
  if (body !== undefined) sent.set('Content-Type', 'application/json');
  try {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return await fetch(address(id, path, query), { method, headers: sent, body: text, signal });
  } catch (error) {
    throw isAbort(error) ? error : new NetworkError();
  }
}

/**
 * @param {import('./operations.js').OperationId} id
 * @param {Record<string, string>} path
 * @param {Record<string, unknown>} query
 */
function address(id, path, query) {
  const [, template] = OPERATIONS[id];
  const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''));
  const base = id === 'search_inventory' ? (configuration.search_url ?? '') : '/v2';
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]));
  return `${base}${filled}${pairs.length ? `?${search}` : ''}`;
}

/** @param {Response} response */
async function read(response) {
  const text = await response.text().catch((error) => {
    throw isAbort(error) ? error : new NetworkError();
  });
  const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '');
  if (!isJson) return response.ok ? text : null;
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {unknown} error */
function isAbort(error) {
  return error instanceof DOMException && error.name === 'AbortError';
}
