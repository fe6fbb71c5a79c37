// An asset's displays or places, in a list and on a map. Displays are looked up when the page opens, because
// the lookup is free. Places are looked up only after a click.

import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { costOf } from '../../api/limits.js';
import { priceOf } from '../../api/operations.js';
import { LOOKUPS, lookUp, sites } from '../../scenario/sites.js';
import { Failure } from '../../ui/failure.js';
import { count } from '../../ui/format.js';
import { SiteList } from './site-list.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('../../scenario/sites.js').Site} Site */

/**
 * Shows the sites of an asset. The list and the map share the selection.
 * @param {{family: Family, asset: any, notes: import('../../scenario/violations.js').Notes}} props
 */
export function Sites({ family, asset, notes }) {
  const [selected, setSelected] = useState(/** @type {string | null} */ (null));
  const ids = family.siteIds(asset);
  const lookup = useLookup(family.sites, ids);
  const known = sites[family.sites].value;
  const found = [...new Set(ids)].flatMap((id) => known.get(id) ?? []);
  const unknown = ids.filter((id) => known.get(id) === null).length;
  const one = family.sites === 'displays' ? 'display' : 'place';
  return html`
    <section class="sites" aria-labelledby="sites">
      <h2 id="sites">${count(ids.length, one)}</h2>
      ${unknown > 0 && html`
        <p class="warning">
          ${count(unknown, one)} ${unknown === 1 ? 'isn’t' : 'aren’t'} in the current data or on the map.
        </p>`}
      ${!lookup.isDone && found.length > 0 && html`<${Offer} kind=${family.sites} lookup=${lookup} />`}
      <div class="beside">
        <${SiteList} family=${family} asset=${asset} notes=${notes} selected=${selected}
          onSelect=${setSelected} />
        <div class="on-map">
          ${lookup.isDone || found.length > 0
            ? html`<${LateMap} key=${found.length} kind=${family.sites} items=${found} selected=${selected}
              onSelect=${setSelected} />`
            : html`<${Offer} kind=${family.sites} lookup=${lookup} />`}
        </div>
      </div>
    </section>`;
}

/**
 * @param {import('../../scenario/sites.js').SiteKind} kind
 * @param {string[]} ids
 */
function useLookup(kind, ids) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const known = sites[kind].value;
  const missing = new Set(ids.filter((id) => !known.has(id))).size;
  const start = () => {
    setIsBusy(true);
    setError(null);
    lookUp(kind, ids, controller.current.signal).then(() => setIsBusy(false), (failed) => {
      if (controller.current.signal.aborted) return;
      setIsBusy(false);
      setError(failed);
    });
  };
  const isFree = priceOf(LOOKUPS[kind].operation) === 0;
  useEffect(() => {
    if (isFree && missing > 0) start();
  }, [isFree, missing]);
  const calls = Math.ceil(missing / LOOKUPS[kind].most);
  return { isDone: missing === 0, isBusy, error, start, missing, calls };
}

/** @param {{kind: import('../../scenario/sites.js').SiteKind, lookup: ReturnType<typeof useLookup>}} props */
function Offer({ kind, lookup: { isBusy, error, start, missing, calls } }) {
  const cost = costOf(...Array.from({ length: calls }, () => LOOKUPS[kind].operation));
  const what = count(missing, kind === 'displays' ? 'display' : 'place');
  return html`
    <div class="offer">
      <p>Look up the IDs to see names and locations.</p>
      <button class="primary" disabled=${isBusy} onClick=${start}>
        ${isBusy ? `Looking up ${what}…` : `Show ${what} on the map · ${cost}`}
      </button>
      <${Failure} error=${error} retry=${start} />
    </div>`;
}

/**
 * Shows the map, whose code is loaded only when it's needed.
 * @param {any} props
 */
function LateMap(props) {
  const [Map, setMap] = useState(/** @type {{component: any} | null} */ (null));
  useEffect(() => {
    import('../../map/sites-map.js').then(({ SitesMap }) => setMap({ component: SitesMap }));
  }, []);
  return Map && html`<${Map.component} ...${props} />`;
}
