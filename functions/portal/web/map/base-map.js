// The base map: land, water, boundaries, and names, from the tiles of the release. Its colors are muted, so
// that a page's own layers dominate the map. Outside the area of its sources, the map is blank.

/** System fonts, because the maps don't have a glyph server. */
export const FONT = ['system-ui', 'sans-serif'];

const SOURCE = 'base-map';
/** The highest zoom level that has tiles. At higher levels, the map enlarges these tiles. */
const MAX_ZOOM = 8;

/**
 * The opacity of land and water. Their shapes are accurate to about half a kilometer, so at street level they
 * would show displays in the water.
 */
const AREA_OPACITY = ['interpolate', ['linear'], ['zoom'], 10, 1, 12, 0];

/** @typedef {import('./colors.js').Colors} Colors */

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
 * layer, it's the name with the largest population.
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
