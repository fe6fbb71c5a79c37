// The map itself: a ground, the lines of states and counties, and what a page draws on it.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { AttributionControl, Map as LibreMap, NavigationControl, ScaleControl } from 'maplibre-gl';
import { theme } from '../frame/theme.js';
import { fileUrl } from '../configuration.js';
import { boundaries, lines } from './boundaries.js';
import { colors } from './colors.js';

/** Text needs no glyph server: without one it is drawn with the system's fonts. */
export const FONT = ['system-ui', 'sans-serif'];

const NATION = { center: /** @type {[number, number]} */ ([-96, 38.5]), zoom: 3.2 };

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
    map.once('load', () => {
      latest.current(map, colors());
      leave = onReady?.(map);
    });
    if (!isBare) addLines(map);
    return () => {
      leave?.();
      map.remove();
    };
  }, []);
  useEffect(() => {
    const map = made.current;
    if (!map?.isStyleLoaded()) return;
    map.setStyle(ground());
    map.once('style.load', () => latest.current(map, colors()));
    if (!isBare) addLines(map);
  }, [theme.value]);
  return html`<div class="map" ref=${place}></div>`;
}

/**
 * @param {HTMLElement} container
 * @param {string} label
 * @param {boolean} isBare
 * @param {Partial<import('maplibre-gl').MapOptions>} [options]
 */
function makeMap(container, label, isBare, options) {
  link();
  const map = new LibreMap({
    container, style: ground(), ...NATION, maxZoom: 18,
    dragRotate: false, pitchWithRotate: false, touchPitch: false, renderWorldCopies: false,
    attributionControl: false, ...options,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.getCanvas().setAttribute('aria-label', label);
  map.addControl(new NavigationControl({ showCompass: false }), isBare ? 'top-left' : 'bottom-right');
  if (!isBare) map.addControl(new ScaleControl({ unit: 'imperial' }), 'bottom-right');
  map.addControl(new AttributionControl({ compact: false }), 'bottom-right');
  return map;
}

/** Adds the library's styles, which pages without a map do without. */
function link() {
  const href = fileUrl('vendor/maplibre-gl/dist/maplibre-gl.css');
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
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
 * @param {LibreMap} map
 */
async function addLines(map) {
  const { states, counties } = lines(await boundaries());
  const add = () => {
    if (map.getSource('states')) return;
    const above = map.getStyle().layers[1]?.id;
    const color = colors().line;
    map.addSource('counties', { type: 'geojson', data: counties });
    map.addSource('states', { type: 'geojson', data: states });
    const paint = { 'line-color': color, 'line-width': 0.5 };
    map.addLayer({ id: 'counties', type: 'line', source: 'counties', minzoom: 5, paint }, above);
    map.addLayer({ id: 'states', type: 'line', source: 'states', paint: { ...paint, 'line-width': 1 } }, above);
  };
  if (map.isStyleLoaded()) add();
  else map.once('style.load', add);
}
