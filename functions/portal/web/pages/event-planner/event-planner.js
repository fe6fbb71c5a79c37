// The page for planning an event: the place search and the event's form.

import { html } from 'htm/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { emptyEvent } from '../../scenario/event-form.js';
import { isPlaceId } from '../../scenario/sites.js';
import { zoneOfPlace } from '../../scenario/state-zones.js';
import { Failure } from '../../ui/failure.js';
import { count } from '../../ui/format.js';
import { Finder } from '../places/finder.js';
import { usePlaces } from '../places/use-search.js';
import { Plan } from './plan.js';

/** @typedef {import('../places/use-search.js').FoundPlace} FoundPlace */
/** @typedef {import('../../scenario/event-form.js').EventDraft} EventDraft */

/** The maximum number of places to read from the address. */
const MOST_BROUGHT = 100;

/**
 * Shows the event planner. `?places=ID,ID` in the address preselects places, which are loaded by a single
 * search.
 */
export default function EventPlanner() {
  const [draft, setDraft] = useState(emptyEvent);
  const [chosen, setChosen] = useState(/** @type {Map<string, FoundPlace>} */ (new Map()));
  const add = (/** @type {FoundPlace[]} */ places) => {
    setChosen((before) =>
      new Map([...before, ...places.map((place) => /** @type {const} */ ([place.place_id ?? '', place]))]));
    if (chosen.size === 0) setDraft((before) => inZoneOf(places[0], before));
  };
  const remove = (/** @type {string} */ id) => setChosen((before) =>
    new Map([...before].filter(([one]) => one !== id)));
  const brought = useBrought(add);
  const event = useMemo(() => ({ ...draft, place_ids: [...chosen.keys()] }), [draft, chosen]);
  const startOver = () => {
    setDraft(emptyEvent());
    setChosen(new Map());
  };
  const toggle = (/** @type {FoundPlace} */ place) => html`
    <${Choose} place=${place} chosen=${chosen} add=${add} remove=${remove} />`;
  const below = (/** @type {FoundPlace[]} */ found) => html`
    <p><button onClick=${() => add(found)}>
      Select all ${count(found.length, 'place')} on this page
    </button></p>`;
  return html`
    <h1 class="hidden">Plan an event</h1>
    <${Finder} page="event-planner" action=${toggle} chosen=${chosen} below=${below}>
      <section class="panel event-plan" aria-label="Event">
        <${Failure} error=${brought.error} retry=${brought.retry} />
        ${brought.missing > 0 && html`<p class="warning" role="status">
          ${count(brought.missing, 'place')} in the address ${brought.missing === 1 ? 'isn’t' : 'aren’t'} in
          the current data.</p>`}
        <${Plan} draft=${event} chosen=${chosen} onChange=${setDraft} onRemove=${remove}
          startOver=${startOver} />
      </section>
    <//>`;
}

/**
 * Sets an event's time zone to that of its first place, unless the person has already chosen a time zone.
 * @param {FoundPlace | undefined} place
 * @param {EventDraft} draft
 */
function inZoneOf(place, draft) {
  const zone = zoneOfPlace(place?.state ?? '', place?.location?.lon ?? 0);
  return zone && draft.timezone === emptyEvent().timezone ? { ...draft, timezone: zone } : draft;
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
    <button type="button" class=${isChosen ? 'choose chosen' : 'choose'} onClick=${change}>
      ${isChosen ? 'Remove' : 'Select'}<span class="hidden"> ${place.place_name}, ${place.street_address}</span>
    </button>`;
}

/**
 * Loads and selects the places in the address. Returns the number of IDs that weren't found.
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
