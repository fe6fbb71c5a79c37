// The map: the base map, and a page's own layers.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { AttributionControl, Map as LibreMap, NavigationControl, ScaleControl } from 'maplibre-gl';
import { theme } from '../ui/theme.js';
import { unitSystem } from '../ui/units.js';
import { addStyles } from '../ui/vendor-styles.js';
import { addBaseMap, baseStyle, hasOwnStyle, watchOwnStyle } from './base-map.js';
import { colors } from './colors.js';

/** The bounding box of the contiguous states: west, south, east, north. */
export const NATION = /** @type {[number, number, number, number]} */ ([-125, 24.4, -66.9, 49.4]);

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
 *   cleanup function; `isBare` omits the base map and the scale, for a sheet with its own projection
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
      if (!isBare && !hasOwnStyle()) addBaseMap(map, colors());
      latest.current(map, colors());
      if (!isReady) leave = onReady?.(map);
      isReady = true;
    });
    if (!isBare && hasOwnStyle()) watchOwnStyle(map, () => restyle(map));
    // Browsers clear the canvas after each frame. This event draws it again so that it can be copied.
    map.getCanvas().addEventListener('redraw', () => map.redraw());
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
    if (made.current) restyle(made.current, isBare);
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
    container, style: baseStyle(colors(), isBare), bounds: options.center ? undefined : NATION, maxZoom: 18,
    dragRotate: false, pitchWithRotate: false, touchPitch: false, renderWorldCopies: false,
    attributionControl: false, ...(prefersReducedMotion() && { fadeDuration: 0 }), ...options,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.getCanvas().setAttribute('aria-label', label);
  map.addControl(new NavigationControl({ showCompass: false }), isBare ? 'top-left' : 'bottom-right');
  if (!isBare) map.addControl(new ScaleControl({ unit: unitSystem }), 'bottom-right');
  // The license of a third-party map can require its attribution to be visible.
  if (!isBare && hasOwnStyle()) {
    map.addControl(new AttributionControl({}), 'bottom-right');
    return map;
  }
  map.addControl(new AttributionControl({ compact: true }), 'bottom-right');
  // Collapse the attribution, because it would cover much of a small map.
  const sources = map.getContainer().querySelector('.maplibregl-ctrl-attrib');
  sources?.classList.add('maplibregl-compact');
  sources?.setAttribute('open', '');
  return map;
}

/**
 * Sets the style for the current theme, which removes all layers.
 * @param {LibreMap} map
 * @param {boolean} [isBare]
 */
function restyle(map, isBare = false) {
  map.setStyle(baseStyle(colors(), isBare), { diff: false });
}

function prefersReducedMotion() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
