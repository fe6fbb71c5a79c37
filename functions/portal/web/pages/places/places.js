// The place search page.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { download } from '../../ui/download.js';
import { Failure } from '../../ui/failure.js';
import { Finder } from './finder.js';

/** @typedef {import('./filter.js').PlaceSearchRequest} PlaceSearchRequest */
/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */

/** The maximum page size of the API. */
const MOST_ROWS = 10000;

/** Shows the place search, with links to reports and a CSV download. */
export default function Places() {
  const below = (/** @type {FoundPlace[]} */ _, /** @type {PlaceSearchRequest} */ wanted) =>
    html`<${SaveTable} wanted=${wanted} />`;
  return html`
    <h1 class="hidden">Places</h1>
    <${Finder} page="places" action=${report} below=${below} />`;
}

/** @param {FoundPlace} place */
function report(place) {
  return html`
    <a class="button" href=${pageUrl(`places/${place.place_id}`)}>
      <span>Report<span class="hidden"> on ${place.place_name}</span> · ${costOf('report_places')}</span>
    </a>`;
}

/** @param {{wanted: PlaceSearchRequest}} props */
function SaveTable({ wanted }) {
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const save = async () => {
    setError(null);
    try {
      const body = { ...wanted, pagination: { page: 1, page_size: MOST_ROWS } };
      const answered = await call('search_places', { body, accept: 'text/csv' });
      download('places.csv', 'text/csv', String(answered.body));
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
    }
  };
  return html`
    <p><button onClick=${save}>Download all as CSV · ${costOf('search_places')}</button></p>
    <${Failure} error=${error} retry=${save} />`;
}
