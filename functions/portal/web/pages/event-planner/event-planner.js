// Plans an event: places from a search, periods, an audience, and one save.

import { html } from 'htm/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { emptyEvent } from '../../scenario/event-form.js';
import { isPlaceId } from '../../scenario/sites.js';
import { Failure } from '../../ui/failure.js';
import { count } from '../../ui/format.js';
import { Finder } from '../places/finder.js';
import { usePlaces } from '../places/use-search.js';
import { Plan } from './plan.js';

/** @typedef {import('../places/use-search.js').FoundPlace} FoundPlace */

/** Places that an address may bring along. */
const MOST_BROUGHT = 100;

/** Plans an event; `?places=ID,ID` in the address chooses places, which one search names. */
export default function EventPlanner() {
  const [draft, setDraft] = useState(emptyEvent);
  const [chosen, setChosen] = useState(/** @type {Map<string, FoundPlace>} */ (new Map()));
  const add = (/** @type {FoundPlace[]} */ places) => setChosen((before) =>
    new Map([...before, ...places.map((place) => /** @type {const} */ ([place.place_id ?? '', place]))]));
  const remove = (/** @type {string} */ id) => setChosen((before) =>
    new Map([...before].filter(([one]) => one !== id)));
  const brought = useBrought(add);
  const event = useMemo(() => ({ ...draft, place_ids: [...chosen.keys()] }), [draft, chosen]);
  const startAnew = () => {
    setDraft(emptyEvent());
    setChosen(new Map());
  };
  const toggle = (/** @type {FoundPlace} */ place) => html`
    <${Choose} place=${place} chosen=${chosen} add=${add} remove=${remove} />`;
  const below = (/** @type {FoundPlace[]} */ found) => html`
    <p><button onClick=${() => add(found)}>
      Choose all ${count(found.length, 'place')} of this page
    </button></p>`;
  return html`
    <h1 class="hidden">Plan an event</h1>
    <${Finder} page="event-planner" action=${toggle} chosen=${chosen} below=${below}>
      <section class="panel event-plan" aria-label="The event">
        <${Failure} error=${brought.error} retry=${brought.retry} />
        ${brought.missing > 0 && html`<p class="warning" role="status">
          The release does not have ${count(brought.missing, 'place')} of those in the address.</p>`}
        <${Plan} draft=${event} chosen=${chosen} onChange=${setDraft} onRemove=${remove}
          startAnew=${startAnew} />
      </section>
    <//>`;
}

/**
 * @param {{place: FoundPlace, chosen: Map<string, FoundPlace>, add: (places: FoundPlace[]) => void,
 *   remove: (id: string) => void}} props
 */
function Choose({ place, chosen, add, remove }) {
  const id = place.place_id ?? '';
  const isChosen = chosen.has(id);
  const change = (/** @type {Event} */ event) => {
    event.stopPropagation();
    if (isChosen) remove(id);
    else add([place]);
  };
  return html`
    <button type="button" class="choose" aria-pressed=${isChosen} onClick=${change}>
      Choose<span class="hidden"> ${place.place_name}, ${place.street_address}</span>
    </button>`;
}

/**
 * Chooses the places that the address names.
 * @param {(places: FoundPlace[]) => void} add
 */
function useBrought(add) {
  const { query } = useLocation();
  const [ids] = useState(() =>
    [...new Set((query.places ?? '').split(',').filter(isPlaceId))].slice(0, MOST_BROUGHT));
  const { places, error, retry } = usePlaces(ids);
  const found = (places ?? []).filter((place) => place !== null);
  useEffect(() => add(found), [places !== null]);
  return { error, retry, missing: places ? ids.length - found.length : 0 };
}
