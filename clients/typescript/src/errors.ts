// The error that a failed call throws.

import type { ErrorCode } from "./generated/operations.js";

type Json = Record<string, unknown>;

// Inventory search and the gateways in front of the service have their own error formats.
const CODES: Record<string, ErrorCode> = {
  RATE_LIMIT_EXCEEDED: "RATE_LIMITED",
  invalid_request: "VALIDATION_ERROR",
  "14001": "INTERNAL_ERROR",
};

/**
 * A failed call. Branch on `code`.
 *
 * In addition to the service's codes, there are `NO_RESPONSE`, `UNEXPECTED_RESPONSE` (a success whose body
 * isn't JSON), and `HTTP_` with the status if a proxy or a gateway sent the error. The error contains neither
 * the request nor the key. Without a response, only the code and the message are set.
 */
export class MarqueeError extends Error {
  override readonly name = "MarqueeError";

  constructor(
    readonly code: ErrorCode | "NO_RESPONSE" | "UNEXPECTED_RESPONSE" | (string & {}),
    message: string,
    readonly status?: number,
    readonly docsUrl?: string,
    readonly requestId?: string,
    readonly details: readonly Json[] = [],
    /** The seconds to wait before the call is made again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** Returns the error that a response describes. `body` is its parsed JSON, or its text. */
export function errorOf({ status, statusText, headers }: Response, body: unknown): MarqueeError {
  const said = objectIn(objectIn(body)?.error) ?? objectIn(objectIn(body)?.message) ?? {};
  const code = String(said.code ?? said.type ?? `HTTP_${status}`);
  const message = String(said.message ?? said.reason ?? (statusText || `status ${status}`));
  const docsUrl = typeof said.docs_url === "string" ? said.docs_url : undefined;
  const details = objectIn(said.context)?.errors ?? said.root_cause;
  const wait = Number.parseInt(headers.get("Retry-After") ?? "");
  return new MarqueeError(
    CODES[code] ?? code,
    message,
    status,
    docsUrl,
    headers.get("X-Request-Id") ?? undefined,
    Array.isArray(details) ? details : [],
    Number.isNaN(wait) ? undefined : wait,
  );
}

function objectIn(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null ? (value as Json) : undefined;
}
