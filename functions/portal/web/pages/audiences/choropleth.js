// The choropleth map. It colors areas by class, and reports the areas that the person points to or clicks.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { MapView } from '../../map/map-view.js';
import { SHEET } from '../../map/inset.js';

const PADDING = 8;
const OPTIONS = {
  bounds: SHEET, fitBoundsOptions: { padding: PADDING }, maxZoom: 9,
  maxBounds: /** @type {[[number, number], [number, number]]} */ ([[-60, -45], [60, 45]]),
};

/**
 * @typedef {object} Drawn
 * @property {import('../../map/areas.js').Sheet} sheet
 * @property {Map<string, number>} classes the position of each area's class, by area code
 * @property {string[]} tokens the name of the CSS variable with each class's color
 * @property {string | null} chosen the code of the selected area
 */

/**
 * Shows the map with one color per class.
 * @param {Drawn & {label: string, onDrawn: () => void, onPoint: (code: string | null) => void,
 *   onChoose: (code: string) => void}} props
 */
export function Choropleth({ label, onDrawn, onPoint, onChoose, ...drawn }) {
  const made = useRef(/** @type {import('maplibre-gl').Map | null} */ (null));
  const latest = useRef({ onPoint, onChoose });
  latest.current = { onPoint, onChoose };
  useEffect(() => {
    if (made.current?.getSource('areas')) paint(made.current, drawn);
  }, [drawn.sheet, drawn.classes, drawn.tokens, drawn.chosen]);
  const ready = (/** @type {import('maplibre-gl').Map} */ map) => {
    made.current = map;
    map.on('mousemove', 'areas', ({ features }) => {
      latest.current.onPoint(features?.[0]?.properties.code ?? null);
    });
    map.on('mouseleave', 'areas', () => latest.current.onPoint(null));
    map.on('click', 'areas', ({ features }) => {
      if (features?.[0]) latest.current.onChoose(features[0].properties.code);
    });
    map.once('idle', onDrawn);
    keepFitted(map);
    return () => { made.current = null; };
  };
  /** @type {import('../../map/map-view.js').Draw} */
  const drawNow = (map, colors) => draw(map, colors, drawn);
  return html`<${MapView} label=${label} isBare options=${OPTIONS} onReady=${ready} draw=${drawNow} />`;
}

/**
 * Fits the map to its container, initially and after each resize, until the person moves the map.
 * @param {import('maplibre-gl').Map} map
 */
function keepFitted(map) {
  let isMoved = false;
  map.on('movestart', ({ originalEvent }) => { isMoved ||= Boolean(originalEvent); });
  const fit = () => isMoved || map.fitBounds(SHEET, { padding: PADDING, animate: false });
  map.on('resize', fit);
  fit();
}

/**
 * @param {import('maplibre-gl').Map} map
 * @param {import('../../map/colors.js').Colors} colors
 * @param {Drawn} drawn
 */
function draw(map, colors, drawn) {
  const collection = { type: /** @type {const} */ ('FeatureCollection'), features: drawn.sheet.features };
  map.addSource('areas', { type: 'geojson', data: collection, promoteId: 'code' });
  shown.set(/** @type {object} */ (map.getSource('areas')), drawn.sheet.features);
  map.addSource('states', { type: 'geojson', data: drawn.sheet.states });
  map.addLayer({ id: 'areas', type: 'fill', source: 'areas', paint: { 'fill-color': colors.ground } });
  const thin = /** @type {any} */ (['interpolate', ['linear'], ['zoom'], 2, 0.15, 6, 0.8]);
  map.addLayer({
    id: 'edges', type: 'line', source: 'areas', paint: { 'line-color': colors.line, 'line-width': thin },
  });
  map.addLayer({
    id: 'states', type: 'line', source: 'states', paint: { 'line-color': colors.soft, 'line-width': 0.8 },
  });
  const rims = /** @type {const} */ ([['around', colors.halo, 7], ['chosen', colors.places, 3]]);
  for (const [id, color, width] of rims) {
    const paint = { 'line-color': color, 'line-width': width };
    map.addLayer({ id, type: 'line', source: 'areas', filter: ['==', ['get', 'code'], ''], paint });
  }
  paint(map, drawn);
}

/**
 * Colors the areas and outlines the selected one. Sends shapes to the map only if they have changed.
 * @param {import('maplibre-gl').Map} map
 * @param {Drawn} drawn
 */
function paint(map, { sheet, classes, tokens, chosen }) {
  const source = /** @type {import('maplibre-gl').GeoJSONSource} */ (map.getSource('areas'));
  const { features } = sheet;
  if (shown.get(source) !== features) {
    source.setData({ type: 'FeatureCollection', features });
    shown.set(source, features);
  }
  map.removeFeatureState({ source: 'areas' });
  for (const [code, state] of classes) map.setFeatureState({ source: 'areas', id: code }, { class: state });
  const style = getComputedStyle(document.documentElement);
  const colors = tokens.flatMap((token, n) => [n, style.getPropertyValue(token).trim()]);
  const ground = style.getPropertyValue('--map-ground').trim();
  const fill = ['match', ['coalesce', ['feature-state', 'class'], -1], ...colors, ground];
  map.setPaintProperty('areas', 'fill-color', /** @type {any} */ (fill));
  for (const id of ['around', 'chosen']) map.setFilter(id, ['==', ['get', 'code'], chosen ?? '']);
}

/** @type {WeakMap<object, import('geojson').Feature[]>} */
const shown = new WeakMap();
