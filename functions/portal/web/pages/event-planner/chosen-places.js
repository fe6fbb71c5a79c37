// The list of the places selected for an event.

import { html } from 'htm/preact';
import { count, number } from '../../ui/format.js';

/** @typedef {import('../places/use-search.js').FoundPlace} FoundPlace */

/**
 * Lists the selected places, each with a remove button, and shows the error and the warning for the list, if
 * any.
 * @param {{chosen: Map<string, FoundPlace>, onRemove: (id: string) => void,
 *   notes: import('../../scenario/violations.js').Notes}} props
 */
export function ChosenPlaces({ chosen, onRemove, notes }) {
  const [error, warning] = [notes.errorAt('/place_ids'), notes.warningAt('/place_ids')];
  const visits = [...chosen.values()].reduce((sum, place) => sum + (place.weekly_visits ?? 0), 0);
  return html`
    <p id="places-chosen" role="status" tabindex=${error ? -1 : undefined}
      data-wrong=${error ? '' : undefined}>
      ${chosen.size === 0
        ? 'No places yet. Search, then select places in the list.'
        : `${count(chosen.size, 'place')}, ${number(visits)} visits in an average week.`}
    </p>
    ${error && html`<p class="error">${error}</p>`}
    ${warning && html`<p class="warning">${warning}</p>`}
    <ul class="chosen-places" aria-label="Selected places">
      ${[...chosen].map(([id, place]) => html`
        <li key=${id}>
          <span>${place.place_name} <small>${addressOf(place)}</small></span>
          <button type="button" aria-label=${`Remove ${place.place_name}, ${place.street_address}`}
            onClick=${() => onRemove(id)}>Remove</button>
        </li>`)}
    </ul>`;
}

/** @param {FoundPlace} place */
function addressOf({ street_address: street, city, state }) {
  return [street, city, state].filter(Boolean).join(', ');
}
