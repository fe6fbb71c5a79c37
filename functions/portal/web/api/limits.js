// The remaining credits and calls, from the headers of the last response.

import { signal } from '@preact/signals';
import { isCounted, priceOf } from './operations.js';

/**
 * The rate limit in the current minute, which ends at `resetsAt`, in epoch milliseconds.
 * @typedef {{limit: number, remaining: number, resetsAt: number}} Minute
 */

/** The organization's remaining credits; null before the first response. */
export const credits = signal(/** @type {number | null} */ (null));

/** The organization's rate limit in the current minute; null before the first counted call. */
export const minute = signal(/** @type {Minute | null} */ (null));

/** The counted calls that the current page has made, and the credits that they used. */
export const spent = signal({ calls: 0, credits: 0 });

/** Resets `spent` when a page opens. */
export function startPage() {
  spent.value = { calls: 0, credits: 0 };
}

/** Clears the credits and the rate limit after the person has left an organization. */
export function forgetLimits() {
  credits.value = null;
  minute.value = null;
}

/**
 * Updates the credits and the rate limit from a response's headers.
 * @param {import('./operations.js').OperationId} id
 * @param {Headers} headers
 */
export function note(id, headers) {
  const number = (/** @type {string} */ name) => {
    const text = headers.get(name);
    return text === null ? null : Number(text);
  };
  const used = number('X-Credits-Used') ?? 0;
  const [limit, remaining] = [number('X-RateLimit-Limit'), number('X-RateLimit-Remaining')];
  credits.value = number('X-Credits-Remaining') ?? credits.value;
  if (!isCounted(id)) return;
  spent.value = { calls: spent.value.calls + 1, credits: spent.value.credits + used };
  // The search gateway reports its own, smaller limit. Don't replace the organization's limit with it.
  if (limit !== null && remaining !== null && id !== 'search_inventory') {
    minute.value = { limit, remaining, resetsAt: (number('X-RateLimit-Reset') ?? 0) * 1000 };
  }
}

/**
 * Returns the cost of a click, such as `2 credits`, to show on the button.
 * @param {...import('./operations.js').OperationId} ids the calls that the click makes
 */
export function costOf(...ids) {
  const sum = ids.reduce((total, id) => total + priceOf(id), 0);
  return sum === 1 ? '1 credit' : sum === 0 ? 'free' : `${sum} credits`;
}
