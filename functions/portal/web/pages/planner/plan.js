// The state of the plan: the selected displays and the form. The browser stores it as a draft. There's one
// plan for a new campaign, and one for each saved campaign whose displays are being changed on the map.

import { batch, computed, effect, signal } from '@preact/signals';
import { whenOrganizationChanges } from '../../api/account.js';
import { MAX_SPOTS, emptyCampaign } from '../../scenario/campaign-form.js';
import { count } from '../../ui/format.js';
import { askBeforeClosing, hasUnsaved } from '../../ui/unsaved.js';
import { titleOf } from './display.js';
import { assign, deleteGroup, grouped, members, ownGroups, target as newGroup } from './groups.js';
import { keepPlan, keptPlan, keptTargets } from './kept-plans.js';
import { addedTo, draftOf, droppedFrom, emptyPlan } from './plan-draft.js';

/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('./groups.js').OwnGroup} OwnGroup */
/** @typedef {import('../../scenario/flight-fields.js').Days} Days */
/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */
/** @typedef {import('./plan-draft.js').Base} Base */
/** @typedef {import('./plan-draft.js').Plan} Plan */

/** The delay before a change of the plan is stored, in milliseconds. */
const SETTLED = 300;

/** The displays of the plan by ID, in the order in which they were added. */
export const chosen = signal(/** @type {ReadonlyMap<number, Display>} */ (new Map()));

/** The number of displays in the last selection that weren't added because the plan was full. */
export const leftOut = signal(0);

/** The display that is highlighted in the list and on the map, or null. */
export const selected = signal(/** @type {Display | null} */ (null));

/** The displays of the plan, in the order in which they were added. */
export const inOrder = computed(() => [...chosen.value.values()]);

/** The displays of the plan, by group. */
export const groups = computed(() => grouped(inOrder.value));

/** The form of the campaign, without spots. `filledForm` derives the spots from the displays of the plan. */
export const form = signal(emptyCampaign());

/** The windows of each group that doesn't run for the entire flight, by the group's key. */
export const windows = signal(/** @type {Record<string, Days[]>} */ ({}));

/** The saved campaign whose displays are being changed; null for a new campaign. */
export const base = signal(/** @type {Base | null} */ (null));

/** The last removal or move, which can be undone; null after other changes. */
export const lastChange = signal(/** @type {{text: string, undo: () => void} | null} */ (null));

/** Whether the browser has stored the plan. */
export const isKept = signal(false);

/** Whether the plan contains changes. */
export const isFilled = computed(() => {
  if (base.value) return added.value.length + dropped.value.length + ownGroups.value.length > 0;
  return chosen.value.size > 0 || ownGroups.value.length > 0 || Object.keys(windows.value).length > 0
    || JSON.stringify(form.value) !== JSON.stringify(emptyCampaign());
});

/** The displays in the plan that aren't in the saved campaign yet. */
export const added = computed(() => addedTo({ chosen: inOrder.value, base: base.value }));

/** The displays of the saved campaign that were removed from the plan. */
export const dropped = computed(() => droppedFrom({ chosen: inOrder.value, base: base.value }));

/**
 * The ID of the saved campaign that is being changed; empty for a new campaign; null until a plan is opened.
 */
let target = /** @type {string | null} */ (null);
let timer = 0;

whenOrganizationChanges(() => {
  // The other organization's drafts stay in the browser.
  target = null;
  startOver();
});
addEventListener('pagehide', keep);
effect(() => {
  // Read all parts, so that the effect runs when any of them changes.
  snapshot();
  clearTimeout(timer);
  timer = setTimeout(keep, SETTLED);
});
effect(() => {
  if (!isFilled.value) return undefined;
  hasUnsaved.value = true;
  return isKept.value ? () => { hasUnsaved.value = false; } : askBeforeClosing();
});

/**
 * Replaces the plan with the stored draft of a campaign, or with an empty plan if there's no draft.
 * @param {string} next the ID of a saved campaign; empty for a new campaign
 */
export function openPlan(next) {
  if (next === target) return;
  keep();
  target = next;
  restore(keptPlan(next) ?? emptyPlan());
}

/**
 * Starts changing a saved campaign, or continues with a newer version of it. Displays that the person has
 * added or removed stay added or removed, and the groups are kept.
 * @param {Base} next the newest version of the campaign
 */
export function changeCampaign(next) {
  const [more, fewer] = [added.value, new Set(dropped.value.map(({ id }) => id))];
  const kept = next.displays.filter(({ id }) => !fewer.has(id));
  const before = base.value ? snapshot() : emptyPlan();
  restore({ ...before, base: next, chosen: base.value ? [...kept, ...more] : next.displays });
}

/**
 * Adds displays to the plan until it's full, and stores the number of the remaining displays in `leftOut`. If
 * `target` names a group, displays that are already in the plan are moved to that group.
 * @param {Display[]} displays
 */
export function choose(displays) {
  const next = new Map(chosen.value);
  let out = 0;
  const added = displays.filter(({ id }) => newGroup.value !== '' || !next.has(id)).map(({ id }) => id);
  assign(added, newGroup.value);
  for (const display of displays) {
    if (next.has(display.id)) continue;
    if (next.size < MAX_SPOTS) next.set(display.id, display);
    else out += 1;
  }
  chosen.value = next;
  leftOut.value = out;
  lastChange.value = null;
}

/**
 * Removes displays from the plan. The removal can be undone until the next change of the selection.
 * @param {Display[]} displays
 */
export function drop(displays) {
  undoably(`Removed ${count(displays.length, 'display')}.`, [chosen], () => {
    const next = new Map(chosen.value);
    for (const { id } of displays) next.delete(id);
    chosen.value = next;
    leftOut.value = 0;
  });
}

/**
 * Moves displays of the plan to another group. The move can be undone.
 * @param {Display[]} displays
 * @param {string} key the key of the group; empty to return the displays to the groups for their markets
 */
export function move(displays, key) {
  const ids = displays.map(({ id }) => id);
  undoably(`Moved ${count(ids.length, 'display')}.`, [members], () => assign(ids, key));
}

/**
 * Deletes a group and its windows. Its displays return to the groups for their markets. The deletion can be
 * undone.
 * @param {string} key
 */
export function removeGroup(key) {
  undoably('Deleted the group.', [ownGroups, members, windows], () => {
    deleteGroup(key);
    const { [key]: _, ...others } = windows.value;
    windows.value = others;
  });
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
 * Returns the form with a spot for each display of the plan.
 * @returns {CampaignDraft}
 */
export function filledForm() {
  return draftOf(snapshot());
}

/**
 * Returns the open plan or one that the browser has stored; null if it doesn't exist.
 * @param {string} id the ID of a saved campaign; empty for the plan of a new campaign
 * @returns {Plan | null}
 */
export function planOf(id) {
  if (id !== target) return keptPlan(id);
  return isFilled.value ? snapshot() : null;
}

/**
 * Returns the name and the street of a display in the plan.
 * @param {string} id
 */
export function nameOf(id) {
  const display = chosen.value.get(Number(id));
  return display ? [titleOf(display), display.street].filter(Boolean).join(', ') : '';
}

/** Returns the IDs of the saved campaigns with unsaved changes, including changes that aren't stored yet. */
export function changedCampaigns() {
  const stored = keptTargets().filter((id) => id !== target);
  return target && isFilled.value ? [target, ...stored] : stored;
}

/** Clears the plan: the displays, the form, the windows, and the draft. */
export function startOver() {
  restore(emptyPlan());
  keep();
}

/** Clears the plan, or discards the changes to a saved campaign. The person can undo this. */
export function discard() {
  const before = snapshot();
  restore({ ...emptyPlan(), base: base.value, chosen: base.value?.displays ?? [] });
  const text = base.value ? 'Changes discarded.' : 'Draft discarded.';
  lastChange.value = { text, undo: () => restore(before) };
}

/** @returns {Plan} */
function snapshot() {
  return {
    chosen: inOrder.value, form: form.value, windows: windows.value, ownGroups: ownGroups.value,
    members: [...members.value].filter(([id]) => chosen.value.has(id)), base: base.value,
  };
}

/** @param {Plan} plan */
function restore(plan) {
  batch(() => {
    chosen.value = new Map(plan.chosen.map((display) => [display.id, display]));
    form.value = plan.form;
    windows.value = plan.windows;
    ownGroups.value = plan.ownGroups;
    members.value = new Map(plan.members);
    newGroup.value = '';
    base.value = plan.base;
    selected.value = null;
    leftOut.value = 0;
    lastChange.value = null;
  });
}

/**
 * Changes parts of the plan, and lets the person restore them until the next change.
 * @param {string} text describes the change
 * @param {import('@preact/signals').Signal<any>[]} parts the parts that `change` changes
 * @param {() => void} change
 */
function undoably(text, parts, change) {
  const before = parts.map(({ value }) => value);
  batch(change);
  const undo = () => batch(() => {
    parts.forEach((part, n) => { part.value = before[n]; });
    lastChange.value = null;
  });
  lastChange.value = { text, undo };
}

function keep() {
  if (target === null) return;
  isKept.value = keepPlan(target, isFilled.value ? snapshot() : null);
}
