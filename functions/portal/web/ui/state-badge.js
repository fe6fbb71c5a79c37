// The state of an asset, as a colored word.

import { html } from 'htm/preact';

const WORDS = {
  draft: 'Draft', queued: 'Queued', in_flight: 'In flight', completed: 'Completed', failed: 'Failed',
};

/** @typedef {keyof typeof WORDS} AssetState */

/** All states, in life cycle order. */
export const STATES = /** @type {AssetState[]} */ (Object.keys(WORDS));

/**
 * Shows a state as a badge.
 * @param {{state: AssetState}} props
 */
export function StateBadge({ state }) {
  return html`<span class="badge ${state}">${WORDS[state]}</span>`;
}

/**
 * Returns a state's name.
 * @param {AssetState} state
 */
export function stateName(state) {
  return WORDS[state];
}
