// How a client reaches the service.

/** A source of time, which can also wait. All values are in seconds. */
export interface Clock {
  now(): number;
  sleep(seconds: number, signal: AbortSignal): Promise<void>;
}

/** The options of `connect`. The defaults are in parentheses. */
export interface Options {
  /** The address of the service, such as `https://api.example.com`. */
  url: string;
  /** An API key. Without a key and a token, calls are anonymous. */
  apiKey?: string | undefined;
  /** The ID token of a signed-in user, or a function that returns the current one. */
  idToken?: string | (() => string | Promise<string>);
  /** The address of the search gateway (from openapi.yaml). */
  searchUrl?: string;
  /** The seconds that an attempt can take (30). */
  timeout?: number;
  /** How often a call is repeated (4). */
  retries?: number;
  /** The longest wait in seconds (60). If a response asks for a longer one, the call fails. */
  longestWait?: number;
  /** Sends a request (the global `fetch`). */
  fetch?: (request: Request) => Promise<Response>;
  /** Measures the time and waits (in real time). Tests can replace it. */
  clock?: Clock;
  /** Receives `info` about waits, and `warn` about unread results (only warnings, on the console). */
  log?: Pick<Console, "info" | "warn">;
}

type Optional = "apiKey" | "idToken" | "searchUrl";

const CLOCK: Clock = { now: () => performance.now() / 1000, sleep };
const LOG: Settings["log"] = { info: () => undefined, warn: (message) => console.warn(message) };

/** Options with their defaults. `url` includes the version. */
export type Settings = Required<Omit<Options, Optional>> & Pick<Options, Optional>;

export function settingsOf(options: Options): Settings {
  const { url, apiKey, idToken, timeout = 30, retries = 4, longestWait = 60 } = options;
  if (!/^https?:\/\//.test(url)) throw new TypeError(`url: "${url}" must start with https:// or http://`);
  if (apiKey && idToken) throw new TypeError("apiKey and idToken: pass only one of them");
  if (apiKey !== undefined) visible("apiKey", apiKey);
  const base = `${url.replace(/\/(v2\/?)?$/, "")}/v2`;
  const { clock = CLOCK, log = LOG, fetch: send = (request) => fetch(request) } = options;
  return { ...options, url: base, timeout, retries, longestWait, clock, log, fetch: send };
}

/** Returns a secret that fits in a header. Otherwise, throws an error, which doesn't quote the secret. */
export function visible(name: string, secret: string): string {
  if (/^[!-~]+$/.test(secret)) return secret;
  throw new TypeError(`${name}: must be 1 or more visible ASCII characters without spaces`);
}

function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
