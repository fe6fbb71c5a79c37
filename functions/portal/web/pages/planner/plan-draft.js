// A plan in the form in which the browser stores it, and its conversion to the form of a campaign.

import { campaignDraft, emptyCampaign } from '../../scenario/campaign-form.js';
import { marketOf } from './display.js';

/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('./groups.js').OwnGroup} OwnGroup */
/** @typedef {import('../../scenario/flight-fields.js').Days} Days */
/** @typedef {import('../../scenario/campaign-form.js').CampaignDraft} CampaignDraft */
/** @typedef {import('../../scenario/campaign-form.js').CampaignAsset} CampaignAsset */

/**
 * A saved campaign as last read, with those of its displays that are in the current data.
 * @typedef {{asset: CampaignAsset, etag: string, displays: Display[]}} Base
 */

/**
 * A plan as the browser stores it. `members` lists the displays in groups that the person has created.
 * @typedef {{chosen: Display[], form: CampaignDraft, windows: Record<string, Days[]>, ownGroups: OwnGroup[],
 *   members: [number, string][], base: Base | null}} Plan
 */

/** @returns {Plan} */
export function emptyPlan() {
  return { chosen: [], form: emptyCampaign(), windows: {}, ownGroups: [], members: [], base: null };
}

/**
 * Returns the displays of a plan that aren't in its saved campaign yet.
 * @param {Pick<Plan, 'chosen' | 'base'>} plan
 */
export function addedTo({ chosen, base }) {
  const before = new Set(base?.displays.map(({ id }) => id));
  return chosen.filter(({ id }) => !before.has(id));
}

/**
 * Returns the displays of a saved campaign that were removed from the plan.
 * @param {Pick<Plan, 'chosen' | 'base'>} plan
 */
export function droppedFrom({ chosen, base }) {
  const left = new Set(chosen.map(({ id }) => id));
  return (base?.displays ?? []).filter(({ id }) => !left.has(id));
}

/**
 * Returns the form with a spot for each display, in the order in which the displays were added. Displays that
 * are already in a saved campaign keep their spots. If such a display was moved to a group with windows, its
 * spot gets the group's windows.
 * @param {Plan} plan
 * @returns {CampaignDraft}
 */
export function draftOf(plan) {
  const { base, form, windows } = plan;
  const draft = base ? campaignDraft(base.asset) : form;
  const gone = new Set(droppedFrom(plan).map(({ id }) => String(id)));
  const kept = draft.spots.filter(({ display_id: id }) => !gone.has(id));
  const first = Math.max(0, ...kept.map(({ spot_id: id }) => id)) + 1;
  const groups = new Map(plan.members);
  const windowsOf = (/** @type {number} */ id, market = '') => windows[groups.get(id) ?? market] ?? [];
  const more = addedTo(plan).map((display, n) => ({
    display_id: String(display.id),
    spot_id: first + n,
    ...(display.owner ? { customer_operator_name: display.owner } : {}),
    windows: windowsOf(display.id, base ? '' : marketOf(display)),
  }));
  const moved = kept.map((spot) => {
    const own = windowsOf(Number(spot.display_id));
    return own.length > 0 ? { ...spot, windows: own } : spot;
  });
  return { ...draft, spots: [...moved, ...more] };
}
