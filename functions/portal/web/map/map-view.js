// The map itself: a ground, the lines of states and counties, and what a page draws on it.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { AttributionControl, Map as LibreMap, NavigationControl, ScaleControl } from 'maplibre-gl';
import { theme } from '../ui/theme.js';
import { addStyles } from '../ui/vendor-styles.js';
import { boundaries, countyLines, stateLines } from './boundaries.js';
import { colors } from './colors.js';

/** Text needs no glyph server: without one it is drawn with the system's fonts. */
export const FONT = ['system-ui', 'sans-serif'];

/** West, south, east and north of the states that lie together. */
export const NATION = /** @type {[number, number, number, number]} */ ([-125, 24.4, -66.9, 49.4]);
/** Below this zoom the lines of counties would be a grey veil. */
const COUNTIES_FROM = 5;

/**
 * What a page draws: it is called once the map is ready, and again after the colours have changed.
 * @callback Draw
 * @param {LibreMap} map whose style has nothing of the page yet
 * @param {import('./colors.js').Colors} colors
 * @returns {void}
 */

/**
 * Shows a map over the whole of its place.
 * @param {{label: string, draw: Draw, onReady?: (map: LibreMap) => (() => void) | void, isBare?: boolean,
 *   options?: Partial<import('maplibre-gl').MapOptions>}} props `onReady` is called once; what it returns is
 *   called when the map goes; `isBare` leaves out the lines and the scale, for a sheet of its own projection
 */
export function MapView({ label, draw, onReady, isBare = false, options }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const latest = useRef(draw);
  latest.current = draw;
  const made = useRef(/** @type {LibreMap | null} */ (null));
  useEffect(() => {
    const map = makeMap(/** @type {HTMLDivElement} */ (place.current), label, isBare, options);
    made.current = map;
    let leave = /** @type {(() => void) | void} */ (undefined);
    let isReady = false;
    map.on('style.load', () => {
      if (!isBare) addLines(map);
      latest.current(map, colors());
      if (!isReady) leave = onReady?.(map);
      isReady = true;
    });
    return () => {
      leave?.();
      map.remove();
    };
  }, []);
  const shown = useRef(theme.value);
  useEffect(() => {
    if (shown.current === theme.value) return;
    shown.current = theme.value;
    // All layers have colours of the theme: what was drawn goes, and is drawn anew.
    made.current?.setStyle(ground(), { diff: false });
  }, [theme.value]);
  return html`<div class="map" ref=${place}></div>`;
}

/**
 * @param {HTMLElement} container
 * @param {string} label
 * @param {boolean} isBare
 * @param {Partial<import('maplibre-gl').MapOptions>} [options] without a place, the map shows the nation
 */
function makeMap(container, label, isBare, options = {}) {
  addStyles('vendor/maplibre-gl/dist/maplibre-gl.css');
  const map = new LibreMap({
    container, style: ground(), bounds: options.center ? undefined : NATION, maxZoom: 18,
    dragRotate: false, pitchWithRotate: false, touchPitch: false, renderWorldCopies: false,
    attributionControl: false, ...options,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.getCanvas().setAttribute('aria-label', label);
  map.addControl(new NavigationControl({ showCompass: false }), isBare ? 'top-left' : 'bottom-right');
  if (!isBare) map.addControl(new ScaleControl({ unit: 'imperial' }), 'bottom-right');
  map.addControl(new AttributionControl({ compact: true }), 'bottom-right');
  // Folded behind its sign from the start: whole, it would cover a good part of a small map.
  const sources = map.getContainer().querySelector('.maplibregl-ctrl-attrib');
  sources?.classList.add('maplibregl-compact');
  sources?.setAttribute('open', '');
  return map;
}

/** @returns {import('maplibre-gl').StyleSpecification} */
function ground() {
  return {
    version: 8,
    sources: {},
    layers: [{ id: 'ground', type: 'background', paint: { 'background-color': colors().ground } }],
  };
}

/**
 * Draws the lines of states and counties below everything else, once they are there.
 * @param {LibreMap} map whose style has just been loaded
 */
function addLines(map) {
  const color = colors().line;
  /** @type {import('geojson').FeatureCollection} */
  const empty = { type: 'FeatureCollection', features: [] };
  const add = (/** @type {string} */ id, /** @type {number} */ minzoom, /** @type {number} */ width) => {
    map.addSource(id, { type: 'geojson', data: empty });
    const paint = { 'line-color': color, 'line-width': width };
    map.addLayer({ id, type: 'line', source: id, minzoom, paint });
  };
  add('counties', COUNTIES_FROM, 0.5);
  add('states', 0, 1);
  const fill = (/** @type {string} */ id, /** @type {import('geojson').GeoJSON} */ data) =>
    /** @type {import('maplibre-gl').GeoJSONSource | undefined} */ (map.getSource(id))?.setData(data);
  boundaries().then((topology) => {
    fill('states', stateLines(topology));
    // The lines of 3,000 counties take a moment to find: not before they are seen.
    const fillCounties = () => {
      if (map.getZoom() < COUNTIES_FROM) return;
      map.off('zoom', fillCounties);
      fill('counties', countyLines(topology));
    };
    map.on('zoom', fillCounties);
    fillCounties();
  }).catch(() => {
    // Without the lines the map is poorer, and works.
  });
}
