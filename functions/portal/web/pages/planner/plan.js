// The plan: the displays that were chosen, in the order in which they were. It stays while other pages are shown.

import { computed, signal } from '@preact/signals';

/** @typedef {import('./display.js').Display} Display */

/** The most spots that a campaign may have. */
export const MOST = 2000;

/** What was chosen, by id. */
export const chosen = signal(/** @type {ReadonlyMap<number, Display>} */ (new Map()));

/** How many displays did not fit into the plan the last time that some were chosen. */
export const leftOut = signal(0);

/** The display that is selected, in the list as on the map. */
export const selected = signal(/** @type {Display | null} */ (null));

/** What was chosen, in order: the spots of the campaign. */
export const spots = computed(() => [...chosen.value.values()]);

/**
 * Chooses displays, as many as fit.
 * @param {Iterable<Display>} displays
 */
export function choose(displays) {
  const next = new Map(chosen.value);
  let out = 0;
  for (const display of displays) {
    if (next.has(display.id)) continue;
    if (next.size < MOST) next.set(display.id, display);
    else out += 1;
  }
  chosen.value = next;
  leftOut.value = out;
}

/**
 * Takes displays out of the plan.
 * @param {Iterable<Display>} displays
 */
export function drop(displays) {
  const next = new Map(chosen.value);
  for (const { id } of displays) next.delete(id);
  chosen.value = next;
  leftOut.value = 0;
}

/**
 * Chooses a display, or takes it out again.
 * @param {Display} display
 */
export function toggle(display) {
  if (chosen.value.has(display.id)) drop([display]);
  else choose([display]);
}
