// The errors that `call` throws.

import { errorCopy, fieldCopy } from './error-copy.js';

/**
 * An invalid value. `pointer` is a JSON pointer into the body, `?name` for a query parameter, or a header's
 * name. `detail` is portal copy, and `said` is the API's own text, for "Details".
 * @typedef {{pointer: string, detail: string, said?: string}} Violation
 */

/** An error response. Its message is portal copy; `detail` is the API's own text. */
export class ApiError extends Error {
  /**
   * @param {import('./operations.js').OperationId} operation
   * @param {Response} response
   * @param {any} body in the format of the API, the search gateway, or API Gateway; null if it isn't JSON
   */
  constructor(operation, response, body) {
    const error = body?.error ?? {};
    const code = error.code ?? error.type ?? 'UNKNOWN';
    super(errorCopy(operation, code, response.status));
    this.name = 'ApiError';
    this.status = response.status;
    /** @type {string} */
    this.code = code;
    /** @type {string} */
    this.detail = error.message ?? error.reason ?? body?.message ?? `status ${response.status}`;
    /** @type {Violation[]} */
    this.violations = (error.context?.errors ?? (error.root_cause ?? []).map(fromSearch)).map(withCopy);
    this.requestId = response.headers.get('X-Request-Id');
  }
}

/** The error for a call that gets no response, for example because the network or the service is down. */
export class NetworkError extends Error {
  constructor() {
    super('Marquee isn’t responding. Check your connection; your changes are still here.');
    this.name = 'NetworkError';
  }
}

/**
 * Returns a rejection handler for a call that creates a secret. The handler rethrows the error. If the call
 * got no response, it first calls `onLost`, because the secret may have been created without being shown.
 * @param {() => void} onLost
 */
export function reportLoss(onLost) {
  return (/** @type {unknown} */ failed) => {
    if (failed instanceof NetworkError) onLost();
    throw failed;
  };
}

/** The error for a call after the sign-in has ended, if the person didn't sign in again. */
export class SignedOutError extends Error {
  constructor() {
    super('You’re signed out. Sign in again to continue; your changes are still here.');
    this.name = 'SignedOutError';
  }
}

/**
 * Converts a cause in an inventory search error to a violation. The cause's reason starts with the JSON
 * pointer.
 * @param {import('./types').Schema<'InventoryCause'>} cause
 * @returns {Violation}
 */
function fromSearch({ reason }) {
  const [, pointer = '', detail = reason] = /^(\/\S*) (.*)$/s.exec(reason) ?? [];
  return { pointer, detail };
}

/**
 * @param {Violation} violation as the API sends it
 * @returns {Violation}
 */
function withCopy({ pointer, detail }) {
  return { pointer, detail: fieldCopy(pointer), said: detail };
}
