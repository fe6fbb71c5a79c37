// The map layers for displays and places: single features, clusters, and counts.

/** @typedef {'displays' | 'places'} Kind */

/** The tile layer, the nouns, and the ID property of each kind. */
export const KINDS = {
  displays: { layer: 'faces', one: 'display', many: 'displays', id: 'spot_id' },
  places: { layer: 'places', one: 'place', many: 'places', id: 'place_id' },
};

/** @type {any} */
const COUNT = ['get', 'count'];
/** @type {any} */
const IS_CLUSTER = ['==', ['get', 'cluster'], true];

/**
 * Returns the map layers of a kind, bottom first: `<kind>-singles`, `<kind>-clusters`, and `<kind>-counts`.
 * The first two are interactive, and their metadata contains the kind.
 * @param {Kind} kind also the name of the source
 * @param {import('./colors.js').Colors} colors
 * @param {string[]} font
 * @returns {import('maplibre-gl').AddLayerObject[]}
 */
export function layersOf(kind, colors, font) {
  const color = colors[kind];
  const of = { source: kind, 'source-layer': KINDS[kind].layer };
  const named = { ...of, metadata: { kind } };
  const single = kind === 'displays' ? displayPaint(color, colors) : placePaint(color, colors);
  return /** @type {any} */ ([
    { id: `${kind}-singles`, type: 'circle', ...named, filter: ['!', IS_CLUSTER], paint: single },
    { id: `${kind}-clusters`, type: 'circle', ...named, filter: IS_CLUSTER, ...clusterPaint(color) },
    {
      id: `${kind}-counts`, type: 'symbol', ...of, filter: IS_CLUSTER,
      layout: {
        'text-field': shortCount(), 'text-font': font, 'text-size': 12,
        // Counts hide the base map's names below them, but not other counts.
        'text-allow-overlap': true,
      },
      paint: { 'text-color': colors.text, 'text-halo-color': colors.halo, 'text-halo-width': 1.5 },
    },
  ]);
}

/**
 * Centers each count in its circle. If both kinds are visible, their circles often coincide, so the count of
 * displays is moved up, above the count of places.
 * @param {import('maplibre-gl').Map} map
 */
export function placeCounts(map) {
  const all = /** @type {Kind[]} */ (Object.keys(KINDS));
  const kinds = all.filter((kind) => map.getLayer(`${kind}-counts`));
  for (const kind of kinds) {
    const offset = kinds.length < 2 ? 0 : kind === 'displays' ? -0.7 : 0.35;
    map.setLayoutProperty(`${kind}-counts`, 'text-offset', [0, offset]);
  }
}

/**
 * Returns the paint properties for displays: filled circles for digital displays, and outlined circles for
 * others.
 * @param {string} color
 * @param {import('./colors.js').Colors} colors
 * @returns {any}
 */
export function displayPaint(color, colors) {
  const of = (/** @type {any} */ digital, /** @type {any} */ otherwise) =>
    ['case', ['==', ['get', 'digital'], true], digital, otherwise];
  return {
    'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, 2.5, 10, 3.5, 15, 7],
    'circle-color': of(color, colors.halo),
    'circle-stroke-color': of(colors.halo, color),
    'circle-stroke-width': of(1, 2),
  };
}

/**
 * Returns the paint properties for places.
 * @param {string} color
 * @param {import('./colors.js').Colors} colors
 * @returns {any}
 */
export function placePaint(color, colors) {
  return {
    'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, 2.5, 15, 7],
    'circle-color': color,
    'circle-opacity': 0.85,
    'circle-stroke-color': colors.halo,
    'circle-stroke-width': 1,
  };
}

/** @param {string} color */
function clusterPaint(color) {
  const radius = ['interpolate', ['linear'], ['log10', COUNT], 0.3, 11, 2, 14, 3, 17, 4, 20, 5, 24];
  return {
    layout: { 'circle-sort-key': ['-', 0, COUNT] },
    paint: {
      'circle-radius': radius, 'circle-color': color, 'circle-opacity': 0.16,
      'circle-stroke-color': color, 'circle-stroke-width': 1.5, 'circle-stroke-opacity': 0.8,
    },
  };
}

/** Returns an expression that shortens counts to fit a circle: 987, 1.2k, 34k, 5.6M. */
function shortCount() {
  const rounded = (/** @type {number} */ unit, /** @type {number} */ digits) =>
    ['to-string', ['/', ['round', ['/', COUNT, unit / digits]], digits]];
  return ['step', COUNT, ['to-string', COUNT],
    1000, ['concat', rounded(1e3, 10), 'k'], 9950, ['concat', rounded(1e3, 1), 'k'],
    999500, ['concat', rounded(1e6, 10), 'M']];
}
