// The page of a place: the charts of its report, optionally beside those of another place.

import { html } from 'htm/preact';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useKept } from '../../api/use-kept.js';
import { pageUrl } from '../../addresses.js';
import { isPlaceId } from '../../scenario/sites.js';
import { Failure } from '../../ui/failure.js';
import { Loading } from '../../ui/loading.js';
import { useTitle } from '../../ui/use-title.js';
import { Compare } from './compare.js';
import { Topics } from './topics.js';
import { PlaceHead } from './place-head.js';
import { usePlaces } from './use-search.js';

/** @typedef {import('./report.js').Report} Report */
/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */
/** @typedef {import('./report.js').Side} Side */

/**
 * Shows the report of a place. `?with=ID` in the address adds a second place. Unless the responses are
 * cached, opening the page makes one place search, for the names, and requests a report for each place.
 * @param {{params: {id: string}}} props
 */
export default function Place({ params: { id } }) {
  const { query } = useLocation();
  const other = query.with && query.with !== id ? query.with : null;
  const wrong = [id, other].find((one) => one !== null && !isPlaceId(one));
  if (wrong !== undefined) return html`<${Unknown} id=${wrong} />`;
  return html`<${Pictures} key=${`${id} ${other}`} id=${id} other=${other} />`;
}

/** @param {{id: string, other: string | null}} props */
function Pictures({ id, other }) {
  const names = usePlaces(other ? [id, other] : [id]);
  const [first, second] = names.places ?? [];
  const sides = [useSide(id, first), useSide(other, second)].filter((side) => side !== null);
  const title = sides.flatMap(({ place }) => place?.place_name ?? []).join(' and ');
  useTitle(title && `${title} – Place`);
  if (names.error) return html`<h1>Place</h1><${Failure} error=${names.error} retry=${names.retry} />`;
  if (!names.places) return html`<h1>Place</h1><${Loading} what="the place" lines=${6} />`;
  const missing = sides.find((side) => !side.place);
  if (missing) return html`<${Unknown} id=${missing.id} />`;
  return html`
    <article class="place">
      <nav class="crumbs" aria-label="Up"><a href=${pageUrl('places')}>Places</a></nav>
      <h1>${title}</h1>
      <div class=${`sides of-${sides.length}`}>
        ${sides.map((side) => html`
          <${PlaceHead} key=${side.id} side=${side} isAlone=${sides.length === 1} />`)}
      </div>
      <${Compare} id=${id} other=${other} place=${sides[0].place} />
      <${Topics} sides=${sides} />
    </article>`;
}

/**
 * @param {string | null} id
 * @param {FoundPlace | null} [place]
 * @returns {Side | null}
 */
function useSide(id, place = null) {
  const request = useMemo(() => (id ? { body: { place_id: [id] } } : null), [id]);
  const { body, error, retry } = useKept('report_places', request);
  if (id === null) return null;
  return { id, place, report: body, error, retry };
}

/** @param {{id: string}} props */
function Unknown({ id }) {
  return html`
    <section class="state">
      <h1>Place ${id} not found</h1>
      <p>A place ID is a number of up to 12 digits.</p>
      <p><a href=${pageUrl('places')}>Search places</a></p>
    </section>`;
}
