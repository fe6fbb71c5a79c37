// The results of a place search. The list shares its selection with the map.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { count, number } from '../../ui/format.js';
import { distance as distanceText } from '../../ui/units.js';
import { WEEKLY_VISITS } from './report.js';

/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */
/** @typedef {import('./use-search.js').PlacesFound} PlacesFound */
/** @typedef {PlacesFound['data']['pagination']} Position */

/**
 * Shows a page of results.
 * @param {{found: PlacesFound, isOld: boolean, selected: string | null, onSelect: (id: string) => void,
 *   onPage: (page: number) => void, cost: string, action: (place: FoundPlace) => any}} props `isOld` means
 *   that newer results are loading; `cost` is the price of one page
 */
export function Results({ found, isOld, selected, onSelect, onPage, cost, action }) {
  const { results, pagination } = found.data;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const row = list.current?.querySelector('[data-selected="true"]');
    row?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return html`
    <p class="total" role="status">${totalOf(pagination)}</p>
    <ol class="results" ref=${list} aria-busy=${isOld} start=${firstOf(pagination)}>
      ${results.map((place) => html`
        <${Row} key=${place.place_id} place=${place} isSelected=${place.place_id === selected}
          onSelect=${onSelect} action=${action} />`)}
    </ol>
    <${Pages} pagination=${pagination} onPage=${onPage} cost=${cost} />`;
}

/**
 * @param {{place: FoundPlace, isSelected: boolean, onSelect: (id: string) => void,
 *   action: (place: FoundPlace) => any}} props
 */
function Row({ place, isSelected, onSelect, action }) {
  const { place_id: id = '', weekly_visits: visits, distance } = place;
  return html`
    <li data-selected=${isSelected} aria-current=${isSelected ? 'true' : undefined}
      onClick=${() => onSelect(id)} onFocusCapture=${() => onSelect(id)}>
      <div>
        <strong>${place.place_name}</strong>
        <small>${[place.street_address, place.city, place.state].filter(Boolean).join(', ')}</small>
        <small title=${visits ? WEEKLY_VISITS : undefined}>${place.place_type_name}${
          visits ? ` · ${number(visits)} weekly visits` : ' · not measured'}${
          distance === undefined ? '' : ` · ${distanceText(distance)}`}</small>
      </div>
      ${action(place)}
    </li>`;
}

/** @param {{pagination: Position, onPage: (page: number) => void, cost: string}} props */
function Pages({ pagination, onPage, cost }) {
  const { page, total_pages: pages } = pagination;
  if (pages <= 1) return null;
  return html`
    <nav class="pages" aria-label="Pages of results">
      <button disabled=${page <= 1} onClick=${() => onPage(page - 1)}>Previous · ${cost}</button>
      <span>Page ${number(page)} of ${number(pages)}</span>
      <button disabled=${page >= pages} onClick=${() => onPage(page + 1)}>Next · ${cost}</button>
    </nav>`;
}

/** @param {Position} position */
function totalOf(position) {
  const { total_results: total, page_size: size } = position;
  if (total <= size) return count(total, 'place');
  const first = firstOf(position);
  return `${number(first)}–${number(Math.min(total, first + size - 1))} of ${count(total, 'place')}`;
}

/** @param {Position} position */
function firstOf({ page, page_size: size }) {
  return (page - 1) * size + 1;
}
