// The form field for the places of an event.

import { html } from 'htm/preact';
import { isPlaceId, sites } from '../../scenario/sites.js';
import { count } from '../../ui/format.js';
import { AddById } from './add-by-id.js';

/**
 * Lists the places, each with a remove button.
 * @param {{ids: string[], onChange: (ids: string[]) => void,
 *   notes: import('../../scenario/violations.js').Notes}} props
 */
export function PlacesField({ ids, onChange, notes }) {
  const known = sites.places.value;
  return html`
    <fieldset class="card"><legend>${count(ids.length, 'place')}</legend>
      <ul class="in-form">
        ${ids.map((id, n) => html`
          <li key=${`${n} ${id}`}>
            <span>${known.get(id)?.name ?? 'Place'} <code>${id}</code></span>
            <button type="button" class="quiet" aria-label=${`Remove place ${id}`}
              onClick=${() => onChange(ids.filter((_, i) => i !== n))}>Remove</button>
          </li>`)}
      </ul>
      <${AddById} label="Add places by ID" known=${ids} error=${notes.errorAt('/place_ids')}
        isId=${isPlaceId}
        onAdd=${(/** @type {string[]} */ added) => onChange([...ids, ...added])} />
    </fieldset>`;
}
