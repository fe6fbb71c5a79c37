// Finds a place to compare with the current one.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { Loading } from '../../ui/loading.js';
import { number } from '../../ui/format.js';
import { useSearch } from './use-search.js';

/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */

/** The maximum number of suggested places. */
const OFFERED = 10;

/**
 * Shows a search for another place, or buttons to swap the two places or stop comparing.
 * @param {{id: string, other: string | null, place: FoundPlace | null}} props
 */
export function Compare({ id, other, place }) {
  const { route } = useLocation();
  if (other) {
    return html`
      <p class="actions start">
        <button onClick=${() => route(pageUrl(`places/${id}`))}>Stop comparing</button>
        <button onClick=${() => route(pageUrl(`places/${other}?with=${id}`))}>Swap places</button>
      </p>`;
  }
  return html`
    <details class="compare">
      <summary>Compare with another place</summary>
      <${Finder} id=${id} place=${place} />
    </details>`;
}

/** @param {{id: string, place: FoundPlace | null}} props */
function Finder({ id, place }) {
  const [name, setName] = useState('');
  const [city, setCity] = useState(place?.city ?? '');
  const [isSameType, setIsSameType] = useState(true);
  const [wanted, setWanted] = useState(/** @type {import('./filter.js').PlaceSearchRequest | null} */ (null));
  const { found, error, isLoading, retry } = useSearch(wanted);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    setWanted({
      filter: {
        place_name: name.trim() || null, city: city.trim() || null,
        place_type_name: isSameType ? place?.place_type_name : null,
      },
      pagination: { page: 1, page_size: OFFERED },
      sort: { active: 'weekly_visits', direction: 'desc' },
    });
  };
  const offered = found?.data.results.filter(({ place_id: one }) => one !== place?.place_id) ?? [];
  return html`
    <form class="row" onSubmit=${submit} role="search" aria-label="Find a place to compare">
      <${Field} label="Name"><input value=${name} maxlength="200"
        onInput=${(/** @type {any} */ event) => setName(event.target.value)} /><//>
      <${Field} label="City"><input value=${city} maxlength="200"
        onInput=${(/** @type {any} */ event) => setCity(event.target.value)} /><//>
      <label class="check"><input type="checkbox" checked=${isSameType}
        onChange=${(/** @type {any} */ event) => setIsSameType(event.target.checked)} />
        ${' '}${place?.place_type_name} only</label>
      <button>Search · ${costOf('search_places')}</button>
    </form>
    <${Failure} error=${error} retry=${retry} />
    ${isLoading && !found && html`<${Loading} what="places" />`}
    ${found && offered.length === 0 && html`<p role="status">No other places match.</p>`}
    ${offered.length > 0 && html`
      <p role="status">Top ${number(offered.length)} by visits. Comparing costs
        ${' '}${costOf('report_places')}.</p>
      <ul class="offered">${offered.map((one) => html`
        <li><a href=${pageUrl(`places/${id}?with=${one.place_id}`)}>${one.place_name}</a>
          ${' '}<small>${one.street_address}, ${one.city}, ${one.state}${visits(one)}</small></li>`)}
      </ul>`}`;
}

/** @param {FoundPlace} place */
function visits({ weekly_visits: weekly }) {
  return weekly ? ` · ${number(weekly)} visits a week` : '';
}
