// Sends requests, and repeats them if that is safe.

import { MarqueeError, errorOf } from "./errors.js";
import { OPERATIONS } from "./generated/operations.js";
import { type Settings, visible } from "./options.js";
import { Pace } from "./pace.js";
import type { Pages } from "./pages.js";

/** How an operation is called, charged, limited, repeated, and paged. */
export interface Operation {
  name: string;
  /** The header for the API key. `null` if the operation doesn't use credentials. */
  credential: "X-API-Key" | "apikey" | null;
  limits: readonly string[];
  paid: boolean;
  reads: boolean;
  keyed: boolean;
  batch: boolean;
  pages?: Pages;
}

/** A request that got no response. */
interface Lost {
  kind: string;
  wasSent: boolean;
}

// Node's codes for connections that weren't established. Browsers don't report the cause.
const NOT_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];
const SEARCH_GATEWAY = /^ {2}\/msearch\/inventory:\n {4}servers:\n {6}- url: ["']?([^\s"']+)/m;

/** A connection to the service, with its credentials, rate limits, and retries. */
export class Calls {
  readonly #settings: Settings;
  readonly #pace: Pace;
  #searchUrl: Promise<string> | undefined;
  #session: string | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#pace = new Pace(settings.clock.now);
  }

  /** Sends a request until its response is final. */
  async send(operation: Operation, request: Request): Promise<Response> {
    const { retries, longestWait } = this.#settings;
    if (operation.keyed && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    }
    for (let attempt = 0; ; attempt += 1) {
      for (let wait; (wait = this.#pace.reserve(operation.limits)) > 0; ) {
        await this.#wait(operation, wait, "for the rate limit", request.signal);
      }
      const outcome = await this.#attempt(operation, request);
      const wait = attempt < retries ? waitAfter(operation, outcome, attempt) : null;
      if (wait !== null && wait <= longestWait) {
        await this.#wait(operation, wait, `before attempt ${attempt + 2}`, request.signal);
      } else if (outcome instanceof Response) {
        return outcome;
      } else {
        throw silence(operation, outcome);
      }
    }
  }

  /** Returns the address of the operation's gateway. If the search gateway's is unknown, asks the service. */
  async base(operation: Operation): Promise<string> {
    const { url, searchUrl } = this.#settings;
    if (operation.credential !== "apikey") return url;
    if (searchUrl) return searchUrl;
    this.#searchUrl ??= this.#findSearchUrl();
    this.#searchUrl.catch(() => (this.#searchUrl = undefined));
    return this.#searchUrl;
  }

  async #findSearchUrl(): Promise<string> {
    const response = await this.send(
      OPERATIONS["GET /openapi.yaml"]!,
      new Request(`${this.#settings.url}/openapi.yaml`),
    );
    const text = await response.text();
    if (!response.ok) throw errorOf(response, text);
    const found = SEARCH_GATEWAY.exec(text)?.[1];
    if (found) return found;
    const message = "openapi.yaml doesn't name the search gateway: pass searchUrl";
    throw new MarqueeError("UNEXPECTED_RESPONSE", message, response.status);
  }

  async #wait(operation: Operation, seconds: number, reason: string, signal: AbortSignal): Promise<void> {
    this.#settings.log.info(`${operation.name}: waiting ${seconds.toFixed(1)} s ${reason}`);
    await this.#settings.clock.sleep(seconds, signal);
  }

  /** Sends a request once, and reads the whole response. */
  async #attempt(operation: Operation, request: Request): Promise<Response | Lost> {
    const headers = new Headers(request.headers);
    const [name, value] = await this.#credential(operation);
    if (value) headers.set(name, value);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(1000 * this.#settings.timeout)]);
    // Following a redirect could send the key to another host.
    const sent = new Request(request.clone(), { headers, signal, redirect: "manual" });
    try {
      const response = await this.#settings.fetch(sent);
      const body = [204, 304].includes(response.status) ? null : await response.arrayBuffer();
      this.#pace.learn(operation.limits, response.headers);
      this.#session = response.headers.get("X-Session-Token") ?? this.#session;
      return new Response(body, response);
    } catch (error) {
      request.signal.throwIfAborted();
      return lost(error);
    }
  }

  async #credential(operation: Operation): Promise<[string, string | undefined]> {
    const { apiKey, idToken } = this.#settings;
    if (operation.credential === null) return ["", undefined];
    if (apiKey) return [operation.credential, apiKey];
    if (!idToken) return ["X-Session-Token", this.#session];
    const token = typeof idToken === "string" ? idToken : await idToken();
    return ["Authorization", `Bearer ${visible("idToken", token)}`];
  }
}

/**
 * Whether a call that got no response can be repeated without a second effect. A repeated create or purchase is
 * charged twice only if the service stopped between the charge and the effect.
 */
function isSafeAfterSilence({ keyed, batch, reads, paid }: Operation): boolean {
  return keyed || batch || (reads && !paid);
}

/**
 * Whether a call that failed in the service can be repeated. A paid call must have cost nothing: if it was charged
 * but had no effect, an idempotency key wouldn't prevent a second charge.
 */
function isSafeAfterFailure(operation: Operation, charged: string | null): boolean {
  return operation.paid ? charged === "0" : isSafeAfterSilence(operation);
}

/** Returns the seconds to wait before the call is repeated, or `null` if the outcome is final. */
function waitAfter(operation: Operation, outcome: Response | Lost, attempt: number): number | null {
  const backoff = (0.5 + Math.random() / 2) * 2 ** attempt;
  if (!(outcome instanceof Response)) {
    return outcome.wasSent && !isSafeAfterSilence(operation) ? null : backoff;
  }
  const { status, headers } = outcome;
  const wait = headers.get("Retry-After") ?? "";
  const charged = headers.get("X-Credits-Used");
  // Inventory search returns 500 where other operations return 503.
  const hasFailed = status === 503 || (status === 500 && wait !== "");
  if (hasFailed ? !isSafeAfterFailure(operation, charged) : status !== 429) return null;
  return /^\d+$/.test(wait) ? Number(wait) : backoff;
}

function lost(error: unknown): Lost {
  if (!(error instanceof Error)) return { kind: "unknown", wasSent: true };
  const code = (error.cause as { code?: unknown } | undefined)?.code;
  const kind = typeof code === "string" ? code : error.name;
  return { kind, wasSent: !NOT_SENT.includes(kind) };
}

/**
 * Returns the error of a call without a response. It doesn't have the connection's error as its cause,
 * because that could contain the key.
 */
function silence(operation: Operation, { kind, wasSent }: Lost): MarqueeError {
  const { name } = operation;
  if (!wasSent) return new MarqueeError("NO_RESPONSE", `${name}: cannot connect to the service (${kind})`);
  const outcome = isSafeAfterSilence(operation) ? "" : ", and the call may have taken effect or been charged";
  return new MarqueeError("NO_RESPONSE", `${name}: no response (${kind})${outcome}`);
}
