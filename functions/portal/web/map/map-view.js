// The map: background, boundaries of states and counties, and a page's own layers.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { AttributionControl, Map as LibreMap, NavigationControl, ScaleControl } from 'maplibre-gl';
import { theme } from '../ui/theme.js';
import { unitSystem } from '../ui/units.js';
import { addStyles } from '../ui/vendor-styles.js';
import { boundaries, countyLines, stateLines } from './boundaries.js';
import { colors } from './colors.js';

/** System fonts, because the maps don't have a glyph server. */
export const FONT = ['system-ui', 'sans-serif'];

/** The bounding box of the contiguous states: west, south, east, north. */
export const NATION = /** @type {[number, number, number, number]} */ ([-125, 24.4, -66.9, 49.4]);
/** The minimum zoom for county boundaries. At lower zooms, the boundaries are too dense. */
const COUNTIES_FROM = 5;

/**
 * Draws a page's layers when the map is ready and after each theme change.
 * @callback Draw
 * @param {LibreMap} map the map, without the page's layers
 * @param {import('./colors.js').Colors} colors
 * @returns {void}
 */

/**
 * Shows a map that fills its container.
 * @param {{label: string, draw: Draw, onReady?: (map: LibreMap) => (() => void) | void, isBare?: boolean,
 *   options?: Partial<import('maplibre-gl').MapOptions>}} props `onReady` is called once and can return a
 *   cleanup function; `isBare` omits boundaries and scale, for a sheet with its own projection
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
    // Redraw everything, because all layers use the theme's colors.
    made.current?.setStyle(ground(), { diff: false });
  }, [theme.value]);
  return html`<div class="map" ref=${place}></div>`;
}

/**
 * @param {HTMLElement} container
 * @param {string} label
 * @param {boolean} isBare
 * @param {Partial<import('maplibre-gl').MapOptions>} [options] without a center, the map shows the nation
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
  if (!isBare) map.addControl(new ScaleControl({ unit: unitSystem }), 'bottom-right');
  map.addControl(new AttributionControl({ compact: true }), 'bottom-right');
  // Collapse the attribution, which would cover much of a small map.
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
 * Adds the boundaries of states and counties below all other layers, and draws them after they're loaded.
 * @param {LibreMap} map a map with a newly loaded style
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
    // Computing the boundaries of 3,000 counties takes a moment, so wait until they're shown.
    const fillCounties = () => {
      if (map.getZoom() < COUNTIES_FROM) return;
      map.off('zoom', fillCounties);
      fill('counties', countyLines(topology));
    };
    map.on('zoom', fillCounties);
    fillCounties();
  }).catch(() => {
    // The map works without boundaries.
  });
}
