// What a call can fail with, as pages tell it apart.

/** One thing that is wrong with a request: a JSON pointer into the body, `?name` or a header's name. */
/** @typedef {{pointer: string, detail: string}} Violation */

/** The service refused a call, and says why in words for people. */
export class ApiError extends Error {
  /**
   * @param {Response} response
   * @param {any} body as the interface, the search gateway or API Gateway itself writes a refusal
   */
  constructor(response, body) {
    const error = body?.error ?? {};
    const words = error.message ?? error.reason ?? body?.message?.message;
    super(words ?? `the service answered ${response.status}`);
    this.name = 'ApiError';
    this.status = response.status;
    /** @type {string} */
    this.code = error.code ?? error.type ?? 'UNKNOWN';
    /** @type {Violation[]} */
    this.violations = error.context?.errors ?? (error.root_cause ?? []).map(ofSearch);
    /** @type {string | null} */
    this.docsUrl = error.docs_url ?? null;
    this.requestId = response.headers.get('X-Request-Id');
    /** Seconds after which the call may be sent again; null where the service names none. */
    this.retryAfter =
      seconds(response.headers.get('Retry-After')) ?? error.details?.retry_after_seconds ?? null;
    /** What the service has instead of what was assumed, of a refused `If-Match`. */
    this.etag = response.headers.get('ETag');
  }
}

/** No answer came: the network is down, or the service is. */
export class NetworkError extends Error {
  constructor() {
    super('The service does not answer. Check your connection; nothing that you typed is lost.');
    this.name = 'NetworkError';
  }
}

/** Nobody is signed in any more, and whoever was asked did not want to be. */
export class SignedOutError extends Error {
  constructor() {
    super('You are not signed in any more. Sign in again to go on; nothing that you typed is lost.');
    this.name = 'SignedOutError';
  }
}

/**
 * Inventory search names the place at the beginning of its reason.
 * @param {import('./types').Schema<'InventoryCause'>} cause
 * @returns {Violation}
 */
function ofSearch({ reason }) {
  const [, pointer = '', detail = reason] = /^(\/\S*) (.*)$/s.exec(reason) ?? [];
  return { pointer, detail };
}

/** @param {string | null} text */
function seconds(text) {
  const value = Number.parseInt(text ?? '', 10);
  return Number.isFinite(value) ? value : null;
}
