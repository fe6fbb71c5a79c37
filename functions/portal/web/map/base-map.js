// The base map: land, water, boundaries, and names, from the release's tiles or from the administrator's own
// style. The release's base map has muted colors, so that a page's own layers stand out. It's blank outside
// the area that its sources cover.

import { configuration } from '../configuration.js';

/** The page's fonts, because the release's base map doesn't have a glyph server. */
const FONT = ['Inter', 'system-ui', 'sans-serif'];

const SOURCE = 'base-map';
/** The highest zoom level that has tiles. At higher levels, the map enlarges these tiles. */
const MAX_ZOOM = 8;

/**
 * The opacity of land and water. Their shapes are accurate only to about half a kilometer, so at street level
 * some displays would appear to be in the water.
 */
const AREA_OPACITY = ['interpolate', ['linear'], ['zoom'], 10, 1, 12, 0];

/** @typedef {import('./colors.js').Colors} Colors */

/** The note that is shown on the map if the administrator's style doesn't load. */
const NOTE = 'Street map unavailable. This map shows areas and names only.';

/**
 * Whether the administrator's style failed to load. Maps don't try to load it again until the page is
 * reloaded.
 */
let hasFailed = false;

/**
 * Returns the style of a new map, or of a map whose theme has changed: the administrator's style, or an empty
 * style, for which `addBaseMap` adds the layers.
 * @param {Colors} colors
 * @param {boolean} isBare whether the map has no base map
 * @returns {import('maplibre-gl').StyleSpecification | string}
 */
export function baseStyle({ ground }, isBare) {
  if (!isBare && hasOwnStyle()) return /** @type {{style_url: string}} */ (configuration.base_map).style_url;
  return {
    version: 8, sources: {},
    layers: [{ id: 'ground', type: 'background', paint: { 'background-color': ground } }],
  };
}

/** Returns whether maps show the administrator's own style, in both themes. */
export function hasOwnStyle() {
  return configuration.base_map != null && !hasFailed;
}

/**
 * Replaces the administrator's style if it doesn't load, and shows a note.
 * @param {import('maplibre-gl').Map} map a map with the administrator's style
 * @param {() => void} replace sets the map's style again; the style is then the release's base map
 */
export function watchOwnStyle(map, replace) {
  const fail = () => {
    hasFailed = true;
    map.off('style.load', end);
    const note = Object.assign(document.createElement('p'), {
      className: 'maplibregl-ctrl map-note', role: 'status', textContent: NOTE,
    });
    map.addControl({ onAdd: () => note, onRemove: () => note.remove() }, 'bottom-right');
    replace();
  };
  const end = () => { map.off('error', fail); };
  map.once('error', fail);
  map.once('style.load', end);
}

/**
 * Returns the font for a page's names and numbers. If the style has a glyph server, returns one of the
 * style's fonts, because the server may not provide other fonts.
 * @param {import('maplibre-gl').Map} map
 */
export function fontOf(map) {
  const { glyphs, layers } = map.getStyle();
  const fonts = layers.map((layer) => (layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined));
  const isList = (/** @type {unknown} */ font) =>
    Array.isArray(font) && font.every((name) => typeof name === 'string');
  const own = glyphs ? fonts.find(isList) : undefined;
  return /** @type {string[]} */ (own ?? FONT);
}

/**
 * Adds the base map below all other layers.
 * @param {import('maplibre-gl').Map} map a map with a newly loaded style
 * @param {Colors} colors
 */
export function addBaseMap(map, colors) {
  map.addSource(SOURCE, {
    type: 'vector', tiles: [`${location.origin}/v2/basemap/tiles/{z}/{x}/{y}`], maxzoom: MAX_ZOOM,
    attribution: 'Natural Earth; US Census Bureau',
  });
  for (const layer of [...areas(colors), ...boundaries(colors), ...names(colors)]) {
    map.addLayer(/** @type {any} */ ({ source: SOURCE, ...layer }));
  }
}

/** @param {Colors} colors */
function areas({ land, water }) {
  const fill = (/** @type {string} */ id, /** @type {string} */ layer, /** @type {string} */ color) => ({
    id, type: 'fill', 'source-layer': layer, filter: isOf(id),
    paint: { 'fill-color': color, 'fill-opacity': AREA_OPACITY },
  });
  return [fill('ocean', 'water', water), fill('land', 'land', land), fill('lake', 'water', water)];
}

/** @param {Colors} colors */
function boundaries({ line }) {
  const drawn = (/** @type {string} */ id, /** @type {string} */ kind, /** @type {number} */ width) => ({
    id, type: 'line', 'source-layer': 'boundaries', filter: isOf(kind),
    paint: { 'line-color': line, 'line-width': width },
  });
  return [drawn('counties', 'county', 0.5), drawn('states', 'state', 1), drawn('countries', 'country', 1.5)];
}

/**
 * Returns the layers of names. If names overlap, the name in the upper layer takes precedence. Within a
 * layer, the name of the area with the largest population takes precedence.
 * @param {Colors} colors
 */
function names({ soft, land }) {
  const named = (/** @type {string} */ kind, /** @type {any} */ size, /** @type {object} */ layer) => ({
    id: `${kind}-names`, type: 'symbol', 'source-layer': 'places', filter: isOf(kind),
    layout: {
      'text-field': ['get', 'name'], 'text-font': FONT, 'text-size': size, 'text-max-width': 8,
      'text-padding': 12,
    },
    paint: { 'text-color': soft, 'text-halo-color': land, 'text-halo-width': 1.2 },
    ...layer,
  });
  const bySize = ['interpolate', ['linear'], ['log10', ['max', 1, ['get', 'population']]], 4, 11, 7, 15];
  return [
    named('neighborhood', 11, { minzoom: 12 }),
    named('city', bySize, { minzoom: 3.5 }),
    named('county', 11, { minzoom: 8, maxzoom: 11 }),
    named('borough', 13, { minzoom: 9 }),
    named('state', 12, { minzoom: 3, maxzoom: 7 }),
  ];
}

/**
 * Returns a filter for features of a kind.
 * @param {string} kind
 */
function isOf(kind) {
  return ['==', ['get', 'kind'], kind];
}
