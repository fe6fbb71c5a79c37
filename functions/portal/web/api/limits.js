// The remaining credits and calls, from the headers of the last response.

import { computed, signal } from '@preact/signals';
import { isCounted, priceOf } from './operations.js';

/**
 * A rate limit in the current minute, which ends at `resetsAt`, in epoch milliseconds.
 * @typedef {{limit: number, remaining: number, resetsAt: number}} Minute
 */

/** The organization's remaining credits; null before the first response. */
export const credits = signal(/** @type {number | null} */ (null));

/** The latest state of each rate limit, by its name in the `RateLimit` header. */
const limits = signal(/** @type {Record<string, Minute>} */ ({}));

/** The organization's call limit for the current minute; null before the first response. */
export const minute = computed(() => limits.value.minute ?? null);

/**
 * The number of remaining calls below which the bar above the page shows a limit that applies only to some
 * operations.
 */
const FEW = 10;

/**
 * The limit to show in the bar above the page: the organization's, unless a limit that applies only to some
 * operations has few calls left in the same minute. Null before the first response.
 */
export const shownLimit = computed(() => {
  const latest = Math.max(...Object.values(limits.value).map(({ resetsAt }) => resetsAt));
  const current = Object.values(limits.value).filter(({ resetsAt }) => resetsAt === latest);
  const tightest = current.sort((one, other) => one.remaining - other.remaining)[0];
  return tightest && tightest.remaining < FEW ? tightest : minute.value;
});

/** The names of the limits that applied to the last call of each operation. */
const limitNames = /** @type {Map<string, string[]>} */ (new Map());

/** The time of the last response, in milliseconds since the page was opened. */
let notedAt = 0;

/**
 * The number of calls in progress, by operation. Their responses will reduce the number of remaining calls.
 */
const inProgress = /** @type {Map<string, number>} */ (new Map());

/**
 * The calls of the current page that count toward the organization's rate limit, and the credits that they
 * used.
 */
export const spent = signal({ calls: 0, credits: 0 });

/** Resets `spent` when a page opens. */
export function startPage() {
  spent.value = { calls: 0, credits: 0 };
}

/** Clears the credits and the rate limits after the person has left an organization. */
export function forgetLimits() {
  credits.value = null;
  limits.value = {};
}

/**
 * Returns the time when an operation's limits allow another call, in epoch milliseconds; 0 if they allow one
 * now.
 * @param {import('./operations.js').OperationId} id
 */
export function resetOf(id) {
  if (!isCounted(id)) return 0;
  const full = (limitNames.get(id) ?? ['minute']).flatMap((name) => {
    const limit = limits.value[name];
    return limit && limit.remaining <= inProgressOf(name) ? limit.resetsAt : [];
  });
  return Math.max(0, ...full);
}

/**
 * Counts a call in progress.
 * @param {import('./operations.js').OperationId} id
 * @returns {() => void} a function to run when the call has ended
 */
export function startCall(id) {
  const change = (/** @type {number} */ by) => inProgress.set(id, (inProgress.get(id) ?? 0) + by);
  change(1);
  return () => change(-1);
}

/**
 * Updates the credits and the rate limits from a response's headers. Responses to overlapping calls can
 * arrive in any order, so the lowest of their values is kept.
 * @param {import('./operations.js').OperationId} id
 * @param {Headers} headers
 * @param {number} startedAt when the call was sent, as `performance.now()` returned it
 */
export function note(id, headers, startedAt) {
  const isOverlapping = startedAt <= notedAt;
  notedAt = performance.now();
  const number = (/** @type {string} */ name) => {
    const text = headers.get(name);
    return text === null ? null : Number(text);
  };
  const used = number('X-Credits-Used') ?? 0;
  const left = number('X-Credits-Remaining');
  if (left !== null) credits.value = isOverlapping ? Math.min(left, credits.value ?? left) : left;
  if (!isCounted(id)) return;
  spent.value = { calls: spent.value.calls + 1, credits: spent.value.credits + used };
  const applied = limitsOf(headers);
  limitNames.set(id, Object.keys(applied));
  limits.value = { ...limits.value, ...lowest(applied) };
}

/**
 * Returns the number of calls in progress that count toward a limit.
 * @param {string} name
 */
function inProgressOf(name) {
  const counted = [...inProgress].filter(([id]) =>
    isCounted(/** @type {import('./operations.js').OperationId} */ (id))
    && (limitNames.get(id) ?? ['minute']).includes(name));
  return counted.reduce((sum, [, calls]) => sum + calls, 0);
}

/**
 * Returns the limits of a response, each with the lowest number of remaining calls known for its minute.
 * @param {Record<string, Minute>} applied
 */
function lowest(applied) {
  return Object.fromEntries(Object.entries(applied).map(([name, limit]) => {
    const before = limits.value[name];
    const isSame = before?.resetsAt === limit.resetsAt;
    return [name, isSame && before.remaining < limit.remaining ? before : limit];
  }));
}

/**
 * Reads every limit that applied to a call.
 * @param {Headers} headers
 */
function limitsOf(headers) {
  const resetsAt = Number(headers.get('X-RateLimit-Reset')) * 1000;
  const quotas = (headers.get('RateLimit-Policy') ?? '').matchAll(/"(\w+)";q=(\d+)/g);
  const left = (headers.get('RateLimit') ?? '').matchAll(/"(\w+)";r=(\d+)/g);
  const remaining = new Map(Array.from(left, ([, name, calls]) => [name, Number(calls)]));
  return Object.fromEntries(Array.from(quotas, ([, name, quota]) => {
    return [name, { limit: Number(quota), remaining: remaining.get(name) ?? 0, resetsAt }];
  }));
}

/**
 * Returns the cost of a click, such as `2 credits`, to show on the button.
 * @param {...import('./operations.js').OperationId} ids the operations that the click calls
 */
export function costOf(...ids) {
  const sum = ids.reduce((total, id) => total + priceOf(id), 0);
  return sum === 1 ? '1 credit' : sum === 0 ? 'free' : `${sum} credits`;
}
