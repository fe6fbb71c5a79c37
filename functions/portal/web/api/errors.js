// The errors that a call throws.

import { FIELD_COPY, errorCopy } from './error-copy.js';

/**
 * One invalid value: a JSON pointer into the body, `?name` or a header's name, and text for people. `said` is
 * the API's own text, for "Details".
 * @typedef {{pointer: string, detail: string, said?: string}} Violation
 */

/** An error response. Its message is portal copy; `detail` is the API's own text. */
export class ApiError extends Error {
  /**
   * @param {import('./operations.js').OperationId} operation
   * @param {Response} response
   * @param {any} body in the format of the API, the search gateway or API Gateway
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
    /** Seconds to wait before a retry; null if the response doesn't say. */
    this.retryAfter =
      seconds(response.headers.get('Retry-After')) ?? error.details?.retry_after_seconds ?? null;
  }
}

/** The error of a call without a response: the network or the service is down. */
export class NetworkError extends Error {
  constructor() {
    super('Marquee isn’t responding. Check your connection; your changes are still here.');
    this.name = 'NetworkError';
  }
}

/** The sign-in has ended, and the person didn't sign in again. */
export class SignedOutError extends Error {
  constructor() {
    super('You’re signed out. Sign in again to continue; your changes are still here.');
    this.name = 'SignedOutError';
  }
}

/**
 * Parses a cause from inventory search, whose reason starts with the pointer.
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
  return { pointer, detail: FIELD_COPY, said: detail };
}

/** @param {string | null} text */
function seconds(text) {
  const value = Number.parseInt(text ?? '', 10);
  return Number.isFinite(value) ? value : null;
}
