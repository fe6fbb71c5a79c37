// The planner's map with its controls: drawing tools, layers, and a list of the features near its center.

import { html } from 'htm/preact';
import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { drawArea } from '../../map/area.js';
import { MapView, NATION } from '../../map/map-view.js';
import { Nearby } from '../../map/nearby.js';
import { pointing } from '../../map/pointing.js';
import { addTiles, removeTiles, watchTiles } from '../../map/tile-source.js';
import { colors } from '../../map/colors.js';
import { lookUp, sites } from '../../scenario/sites.js';
import { Failure } from '../../ui/failure.js';
import { faceSize } from '../../ui/units.js';
import { detailsOf, impressionsOf, ofFound, ofLookup } from './display.js';
import { areaOf, withArea } from './filters.js';
import { PlaceBox } from './place-box.js';
import { base, chosen, selected, toggle } from './plan.js';
import {
  ABOVE_TILES, addLayers, bringAllIntoSight, bringAreaIntoSight, bringIntoSight, drawAll, fade, keepDrawn,
  noteView,
} from './planner-map.js';
import { results } from './search.js';

/** @typedef {import('maplibre-gl').Map} LibreMap */
/** @typedef {import('../../map/features.js').Kind} Kind */
/** @typedef {import('../../map/found-features.js').Found} Found */
/** @typedef {import('../../map/colors.js').Colors} Colors */
/** @typedef {'pick' | 'circle' | 'rectangle'} Tool */
/** @typedef {import('@preact/signals').Signal<Map<Kind, Error>>} Refused the error of each failed layer */

/** Whether each layer is visible. The settings are kept while other pages are open. */
const shown = signal({ displays: true, places: false });
/** @type {[Tool, string, string][]} */
const TOOLS = [
  ['pick', 'Select', 'Click a display to select it, or a cluster to zoom in.'],
  ['circle', 'Circle', 'Drag outward from the center.'],
  ['rectangle', 'Rectangle', 'Drag from one corner to the opposite corner.'],
];

/** How long the person must stop typing before the map moves to the typed area, in milliseconds. */
const TYPED = 800;

/** The maximum number of displays to look up for a popup. */
const MOST_LOOKED_UP = 50;

/** The width of the floating panel on either side of the map, in pixels. */
const FLOATING = 384;
const WIDE = matchMedia('(min-width: 1101px)');

/**
 * Shows the map with its tools and layers.
 * @param {{filters: import('@preact/signals').Signal<import('./filters.js').Filters>}} props
 */
export function MapPanel({ filters }) {
  const isPlaced = useMemo(() => location.hash.includes('at='), []);
  const [map, setMap] = useState(/** @type {LibreMap | null} */ (null));
  const tool = useSignal(/** @type {Tool} */ ('pick'));
  const trouble = useSignal(/** @type {string | null} */ (null));
  const refused = useSignal(/** @type {Map<Kind, Error>} */ (new Map()));
  const watch = useRef(/** @type {ReturnType<typeof watchTiles> | null} */ (null));
  const told = useRef(/** @type {import('../../map/pointing.js').Pointing | null} */ (null));
  const draw = (/** @type {LibreMap} */ ready, /** @type {Colors} */ palette) => {
    addLayers(ready, palette);
    drawAll(ready, filters);
    for (const kind of /** @type {Kind[]} */ (['displays', 'places'])) addKind(ready, kind, refused);
  };
  const onReady = (/** @type {LibreMap} */ ready) => {
    const end = [keepDrawn(ready, filters), keepBetweenPanels(ready, isPlaced)];
    const own = pointing(ready, { action, onTold, isHeld: () => tool.value !== 'pick' });
    told.current = own;
    ready.on('moveend', () => noteView(ready));
    noteView(ready);
    const watched = watchTiles(ready, (text) => { trouble.value = text; }, () => fade(ready));
    watch.current = watched;
    setMap(ready);
    return () => {
      watched.leave();
      end.forEach((one) => one());
      own.leave();
    };
  };
  useDrawing(map, tool, filters);
  useMapMoves(map, filters);
  useEffect(() => told.current?.close(), [results.value]);
  return html`
    <div class="map-place">
      <${MapView} label="Map of displays" draw=${draw} onReady=${onReady} options=${{ hash: 'at' }} />
    </div>
    <div class="tools">
      <${PlaceBox} map=${map} filters=${filters} />
      <${Tools} tool=${tool} />
      <${Shown} map=${map} refused=${refused} />
      <details class="around">
        <summary>Near map center</summary>
        ${map && html`<${Nearby} map=${map}
          open=${(/** @type {Found[]} */ near) => told.current?.open(near)} />`}
      </details>
      <${Missing} map=${map} trouble=${trouble} refused=${refused} again=${() => watch.current?.again()} />
    </div>`;
}

/**
 * Shows which tiles couldn't be loaded and why, with buttons that load them again.
 * @param {{map: LibreMap | null, trouble: import('@preact/signals').Signal<string | null>, refused: Refused,
 *   again: () => void}} props
 */
function Missing({ map, trouble, refused, again }) {
  return html`
    ${trouble.value && html`
      <p class="warning" role="status">${trouble.value}
        ${' '}<button type="button" onClick=${again}>Reload tiles</button></p>`}
    ${map && [...refused.value].map(([kind, error]) => html`
      <p class="warning">Can’t show ${kind} on the map.</p>
      <${Failure} error=${error} retry=${() => addKind(map, kind, refused)} />`)}`;
}

/**
 * Pads the map so that its center stays between the floating panels. In narrow windows, the panels don't
 * float, so no padding is needed.
 * @param {LibreMap} map
 * @param {boolean} isPlaced whether the map's view is set in the address
 * @returns {() => void} a function that stops adjusting the padding
 */
function keepBetweenPanels(map, isPlaced) {
  const keep = () => {
    const side = WIDE.matches ? FLOATING : 0;
    map.setPadding({ left: side, right: side, top: 0, bottom: 0 });
  };
  keep();
  if (!isPlaced) map.fitBounds(NATION, { animate: false });
  WIDE.addEventListener('change', keep);
  return () => WIDE.removeEventListener('change', keep);
}

/** @param {{tool: import('@preact/signals').Signal<Tool>}} props */
function Tools({ tool }) {
  const hint = TOOLS.find(([name]) => name === tool.value)?.[2];
  return html`
    <div role="group" aria-label="Tools" class="choices">
      ${TOOLS.map(([name, label, title]) => html`
        <button type="button" aria-pressed=${tool.value === name} title=${title}
          onClick=${() => { tool.value = name; }}>${label}</button>`)}
    </div>
    ${tool.value !== 'pick' && html`<p class="soft" role="status">${hint}</p>`}`;
}

/** @param {{map: LibreMap | null, refused: Refused}} props */
function Shown({ map, refused }) {
  const show = (/** @type {Kind} */ kind, /** @type {boolean} */ isShown) => {
    shown.value = { ...shown.value, [kind]: isShown };
    if (!map) return;
    if (isShown) addKind(map, kind, refused);
    else removeTiles(map, kind);
    if (!isShown) refused.value = without(refused.value, kind);
  };
  const box = (/** @type {Kind} */ kind, /** @type {string} */ label) => html`
    <label class=${kind}>
      <input type="checkbox" checked=${shown.value[kind]}
        onChange=${(/** @type {any} */ event) => show(kind, event.target.checked)} /> ${label}
    </label>`;
  return html`<div role="group" aria-label="Layers" class="shown">
    ${box('displays', 'Displays')} ${box('places', 'Places')}
  </div>`;
}

/**
 * Moves the map to new search results, to a saved campaign, to a newly selected display, or to an area whose
 * coordinates were typed.
 * @param {LibreMap | null} map
 * @param {import('@preact/signals').Signal<import('./filters.js').Filters>} filters
 */
function useMapMoves(map, filters) {
  useSignalEffect(() => {
    if (map && selected.value) bringIntoSight(map, selected.value);
  });
  useSignalEffect(() => {
    const area = areaOf(filters.value);
    if (!map || !area) return undefined;
    // Wait until the person has stopped typing.
    const timer = setTimeout(() => bringAreaIntoSight(map, area), TYPED);
    return () => clearTimeout(timer);
  });
  const [found, saved] = [results.value, base.value];
  useEffect(() => {
    if (map && found?.pages === 1) bringAllIntoSight(map, found.displays);
  }, [found]);
  useEffect(() => {
    if (map && saved) bringAllIntoSight(map, saved.displays);
  }, [map, saved]);
}

/**
 * Lets the person draw an area while a drawing tool is active. The Escape key deactivates the tool.
 * @param {LibreMap | null} map
 * @param {import('@preact/signals').Signal<Tool>} tool
 * @param {import('@preact/signals').Signal<import('./filters.js').Filters>} filters
 */
function useDrawing(map, tool, filters) {
  useEffect(() => {
    const kind = tool.value;
    if (!map || kind === 'pick') return;
    const end = drawArea(map, kind, (area) => {
      filters.value = withArea(filters.value, area);
      tool.value = 'pick';
    });
    const escape = (/** @type {KeyboardEvent} */ { key }) => {
      if (key === 'Escape') tool.value = 'pick';
    };
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('keydown', escape);
      end();
    };
  }, [map, tool.value]);
}

/**
 * Adds the tiles of a layer if the layer is visible. If loading fails, stores the error in `refused`.
 * @param {LibreMap} map
 * @param {Kind} kind
 * @param {Refused} refused
 */
async function addKind(map, kind, refused) {
  refused.value = without(refused.value, kind);
  if (!shown.value[kind]) return;
  try {
    await addTiles(map, kind, colors(), { before: ABOVE_TILES, isWanted: () => shown.value[kind] });
    fade(map);
  } catch (error) {
    refused.value = new Map(refused.value).set(kind, /** @type {Error} */ (error));
  }
}

/**
 * @param {Map<Kind, Error>} refused
 * @param {Kind} kind
 */
function without(refused, kind) {
  return new Map([...refused].filter(([one]) => one !== kind));
}

/** @param {Found} single */
function action(single) {
  if (single.kind !== 'displays') return null;
  return html`<${Choice} single=${single} />`;
}

/** @param {{single: Found}} props */
function Choice({ single }) {
  const display = known(single);
  const size = display.size ? faceSize(display.size) : '';
  const facts = [detailsOf(display)[0], size, impressionsOf(display)].filter(Boolean);
  return html`
    <p>${facts.join(' · ')}</p>
    <button type="button" onClick=${() => toggle(display)}>
      ${chosen.value.has(display.id) ? 'Remove from plan' : 'Add to plan'}
    </button>`;
}

/**
 * Selects the first display in a popup. Also looks up the displays' addresses and sizes, which tiles don't
 * contain. The lookup is free.
 * @param {Found[]} singles
 */
function onTold(singles) {
  const own = singles.filter(({ kind }) => kind === 'displays');
  if (own[0]) selected.value = known(own[0]);
  const bare = own.filter((single) => known(single).street === '');
  const ids = bare.slice(0, MOST_LOOKED_UP).map(({ properties }) => String(properties.spot_id));
  // If the lookup fails, the popup shows only the properties in the tiles.
  if (ids.length > 0) lookUp('displays', ids).catch(() => {});
}

/**
 * Returns the most complete version of a display. Search results have more properties than tiles.
 * @param {Found} single
 */
function known(single) {
  const { spot_id: id } = single.properties;
  const loaded = results.value?.displays ?? [];
  const complete = chosen.value.get(id) ?? loaded.find((display) => display.id === id);
  if (complete) return complete;
  const { record } = sites.displays.value.get(String(id)) ?? {};
  const { market, digital } = ofFound(single);
  return record ? { ...ofLookup(record), market, digital } : ofFound(single);
}
