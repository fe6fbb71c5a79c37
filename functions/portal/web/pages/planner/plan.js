// The state of the plan: the selected displays and the form. It's kept while other pages are open.

import { computed, effect, signal } from '@preact/signals';
import { MAX_SPOTS, emptyCampaign } from '../../scenario/campaign-form.js';
import { askBeforeClosing } from '../../ui/unsaved.js';
import { byMarket } from './display.js';

/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('../../scenario/flight-fields.js').Days} Days */
/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */

/** The displays of the plan by ID, in the order in which they were added. */
export const chosen = signal(/** @type {ReadonlyMap<number, Display>} */ (new Map()));

/** The number of displays in the last selection that didn't fit in the plan. */
export const leftOut = signal(0);

/** The display that is highlighted in the list and on the map, or null. */
export const selected = signal(/** @type {Display | null} */ (null));

/** The displays of the plan, in the order in which they were added. */
export const inOrder = computed(() => [...chosen.value.values()]);

/** The displays of the plan, grouped by market. */
export const groups = computed(() => byMarket(inOrder.value));

/** The form of the campaign, without spots. `filledForm` derives the spots from the displays of the plan. */
export const form = signal(emptyCampaign());

/** The windows, by market name, of each market that doesn't run for the entire flight. */
export const windows = signal(/** @type {Record<string, Days[]>} */ ({}));

/** Whether the plan contains data that a reload would lose. Opening other portal pages keeps the data. */
const isFilled = computed(() => chosen.value.size > 0 || Object.keys(windows.value).length > 0
  || JSON.stringify(form.value) !== JSON.stringify(emptyCampaign()));

effect(() => (isFilled.value ? askBeforeClosing() : undefined));

/**
 * Adds displays to the plan until it's full, and stores the number of other displays in `leftOut`.
 * @param {Iterable<Display>} displays
 */
export function choose(displays) {
  const next = new Map(chosen.value);
  let out = 0;
  for (const display of displays) {
    if (next.has(display.id)) continue;
    if (next.size < MAX_SPOTS) next.set(display.id, display);
    else out += 1;
  }
  chosen.value = next;
  leftOut.value = out;
}

/**
 * Removes displays from the plan.
 * @param {Iterable<Display>} displays
 */
export function drop(displays) {
  const next = new Map(chosen.value);
  for (const { id } of displays) next.delete(id);
  chosen.value = next;
  leftOut.value = 0;
}

/**
 * Adds a display to the plan, or removes it if it's already in the plan.
 * @param {Display} display
 */
export function toggle(display) {
  if (chosen.value.has(display.id)) drop([display]);
  else choose([display]);
}

/**
 * Returns the form with a spot for each display, in the order in which the displays were added.
 * @returns {CampaignDraft}
 */
export function filledForm() {
  const spots = inOrder.value.map(({ id, market, owner }, n) => ({
    display_id: String(id),
    spot_id: n + 1,
    ...(owner ? { customer_operator_name: owner } : {}),
    windows: windows.value[market] ?? [],
  }));
  return { ...form.value, spots };
}

/** Clears the plan: the displays, the form, and the windows. */
export function startOver() {
  chosen.value = new Map();
  form.value = emptyCampaign();
  windows.value = {};
  selected.value = null;
  leftOut.value = 0;
}
