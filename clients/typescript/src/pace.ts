// Tracks the rate limits, so that the client waits before a call that would be refused.

/** The calls that a limit allows until its window ends. */
interface Window {
  left: number;
  endsAt: number;
}

/**
 * The calls that the rate limits allow, according to the last responses.
 *
 * A limit is named as in the header `RateLimit`. The limit of account operations is `account/minute`, because
 * the header also calls it `minute`.
 */
export class Pace {
  readonly #windows = new Map<string, Window>();

  constructor(private readonly now: () => number) {}

  /** Counts a call and returns 0, or returns the seconds until the limits allow a call. */
  reserve(limits: readonly string[]): number {
    const now = this.now();
    const open = limits.flatMap((name) => this.#windows.get(name) ?? []).filter(({ endsAt }) => endsAt > now);
    const full = open.filter(({ left }) => left < 1).map(({ endsAt }) => endsAt - now);
    if (full.length > 0) return Math.max(...full);
    for (const window of open) window.left -= 1;
    return 0;
  }

  /** Reads the header `RateLimit`. Calls that have no response yet stay counted. */
  learn(limits: readonly string[], headers: Headers): void {
    const now = this.now();
    const header = headers.get("RateLimit") ?? "";
    for (const [, said, left, seconds] of header.matchAll(/"([^"]+)";r=(\d+);t=(\d+)/g)) {
      const name = limits.find((one) => one.split("/").at(-1) === said);
      if (name === undefined) continue;
      const known = this.#windows.get(name);
      const most = known && known.endsAt > now ? known.left : Infinity;
      this.#windows.set(name, { left: Math.min(Number(left), most), endsAt: now + Number(seconds) });
    }
  }
}
