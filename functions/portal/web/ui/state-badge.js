// The state of an asset, as a word with a colour.

import { html } from 'htm/preact';

const WORDS = {
  draft: 'Draft', queued: 'Queued', in_flight: 'In flight', completed: 'Completed', failed: 'Failed',
};

/** @typedef {keyof typeof WORDS} AssetState */

/** Every state, in the order in which an asset goes through them. */
export const STATES = /** @type {AssetState[]} */ (Object.keys(WORDS));

/**
 * Shows a state.
 * @param {{state: AssetState}} props
 */
export function StateBadge({ state }) {
  return html`<span class="badge ${state}">${WORDS[state]}</span>`;
}

/**
 * Names a state.
 * @param {AssetState} state
 */
export function stateName(state) {
  return WORDS[state];
}
