// The plan: the displays that were chosen, in their order, and the form. It outlives a visit of other pages.

import { computed, effect, signal } from '@preact/signals';
import { MOST_SPOTS, emptyCampaign } from '../../scenario/campaign-form.js';
import { askBeforeClosing } from '../../ui/unsaved.js';
import { byMarket } from './display.js';

/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('../../scenario/flight-fields.js').Days} Days */
/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */

/** What was chosen, by id. */
export const chosen = signal(/** @type {ReadonlyMap<number, Display>} */ (new Map()));

/** How many displays did not fit into the plan the last time that some were chosen. */
export const leftOut = signal(0);

/** The display that is selected, in the list as on the map. */
export const selected = signal(/** @type {Display | null} */ (null));

/** What was chosen, in order. */
export const inOrder = computed(() => [...chosen.value.values()]);

/** What was chosen, by market. */
export const groups = computed(() => byMarket(inOrder.value));

/** The campaign's form; its spots are made of what was chosen. */
export const form = signal(emptyCampaign());

/** The windows in which displays of a market run, when that is not the whole flight. */
export const windows = signal(/** @type {Record<string, Days[]>} */ ({}));

/** Whether there is anything in the plan that a reload would lose; other pages leave it as it is. */
const isFilled = computed(() => chosen.value.size > 0 || Object.keys(windows.value).length > 0
  || JSON.stringify(form.value) !== JSON.stringify(emptyCampaign()));

effect(() => (isFilled.value ? askBeforeClosing() : undefined));

/**
 * Chooses displays, as many as fit.
 * @param {Iterable<Display>} displays
 */
export function choose(displays) {
  const next = new Map(chosen.value);
  let out = 0;
  for (const display of displays) {
    if (next.has(display.id)) continue;
    if (next.size < MOST_SPOTS) next.set(display.id, display);
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

/**
 * Returns the form with its spots, in the order in which their displays were chosen.
 * @returns {CampaignDraft}
 */
export function filledForm() {
  const spots = inOrder.value.map(({ id, market, operator }, n) => ({
    display_id: String(id),
    spot_id: n + 1,
    ...(operator ? { customer_operator_name: operator } : {}),
    windows: windows.value[market] ?? [],
  }));
  return { ...form.value, spots };
}

/** Begins another plan. */
export function startAnew() {
  chosen.value = new Map();
  form.value = emptyCampaign();
  windows.value = {};
  selected.value = null;
  leftOut.value = 0;
}
