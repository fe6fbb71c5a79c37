// What the headers of the last answer say: the credits that are left, and the calls of this minute.

import { signal } from '@preact/signals';
import { isCounted, priceOf } from './operations.js';

/** @typedef {{limit: number, remaining: number, resetsAt: number}} Minute */

/** Credits of the organization; null before an answer has named them. */
export const credits = signal(/** @type {number | null} */ (null));

/** The organization's calls of a minute; null before an answer has named them. */
export const minute = signal(/** @type {Minute | null} */ (null));

/** What the page that is open has used so far. */
export const spent = signal({ calls: 0, credits: 0 });

/** Begins anew to count what a page uses. */
export function startPage() {
  spent.value = { calls: 0, credits: 0 };
}

/** Forgets what was left of an organization that the person is not in any more. */
export function forgetLimits() {
  credits.value = null;
  minute.value = null;
}

/**
 * Notes what an answer says.
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
  // The search gateway's own limit is a part of the minute's, and would hide it.
  if (limit !== null && remaining !== null && id !== 'search_inventory') {
    minute.value = { limit, remaining, resetsAt: (number('X-RateLimit-Reset') ?? 0) * 1000 };
  }
}

/**
 * Says what a click costs, to stand at its button.
 * @param {...import('./operations.js').OperationId} ids every call that it makes
 */
export function costOf(...ids) {
  const sum = ids.reduce((total, id) => total + priceOf(id), 0);
  return sum === 1 ? '1 credit' : sum === 0 ? 'free' : `${sum} credits`;
}
