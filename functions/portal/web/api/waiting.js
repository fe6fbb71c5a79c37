// Makes calls wait while a call limit is reached, so that they continue automatically instead of failing.

import { computed, signal } from '@preact/signals';
import { resetOf } from './limits.js';

/** The longest wait, in milliseconds. Calls fail at once if a limit resets later, such as a daily limit. */
const LONGEST = 61_000;
/** How often waiting calls check the limits, in milliseconds. */
const TICK = 250;

/** The time at which each waiting call stops waiting, in epoch milliseconds. */
const ends = signal(/** @type {ReadonlyMap<AbortController, number>} */ (new Map()));
const now = signal(Date.now());

/** The number of seconds until the waiting calls continue; 0 if no calls are waiting. */
export const secondsLeft = computed(() => {
  if (ends.value.size === 0) return 0;
  return Math.max(1, Math.ceil((Math.max(...ends.value.values()) - now.value) / 1000));
});

/**
 * Returns the label of a button whose call is in progress: the time left if the call is waiting.
 * @param {string} label the label if the call isn't waiting, such as `Saving…`
 */
export function busyLabel(label) {
  return secondsLeft.value > 0 ? `Continues in ${secondsLeft.value} s` : label;
}

/** Ends all waits. Calls that haven't been sent yet are sent, and calls that were refused fail. */
export function stopWaiting() {
  for (const stop of ends.value.keys()) stop.abort();
}

/**
 * Waits until the known limits allow another call.
 * @param {import('./operations.js').OperationId} id
 * @param {AbortSignal} [signal] aborts the wait
 */
export async function untilAllowed(id, signal) {
  if (resetOf(id) <= Date.now()) return;
  await wait(() => resetOf(id), signal);
}

/**
 * Waits as long as the `Retry-After` header of a refusal specifies or, without this header, until the limit
 * resets. Returns false immediately if the wait would be too long.
 * @param {import('./operations.js').OperationId} id
 * @param {Response} refusal
 * @param {AbortSignal} [signal] aborts the wait
 * @returns {Promise<boolean>} whether the call can be repeated
 */
export async function waitAfter(id, refusal, signal) {
  const seconds = Number.parseInt(refusal.headers.get('Retry-After') ?? '', 10);
  const end = Number.isNaN(seconds) ? resetOf(id) : Date.now() + seconds * 1000;
  const isSoon = end > Date.now() && end - Date.now() <= LONGEST;
  return isSoon && wait(() => end, signal);
}

/**
 * @param {() => number} endOf returns the end of the wait, in epoch milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} false if the person stopped the wait
 */
async function wait(endOf, signal) {
  const stop = new AbortController();
  try {
    for (let end = endOf(); end > Date.now() && !stop.signal.aborted; end = endOf()) {
      if (end - Date.now() > LONGEST) break;
      now.value = Date.now();
      ends.value = new Map(ends.value).set(stop, end);
      await new Promise((tick) => setTimeout(tick, Math.min(TICK, end - Date.now())));
      signal?.throwIfAborted();
    }
  } finally {
    ends.value = new Map([...ends.value].filter(([own]) => own !== stop));
  }
  return !stop.signal.aborted;
}
