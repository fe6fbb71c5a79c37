// How displays and places look on the map: the layers of each kind, in the colours of a light or dark scheme.

/** What the page knows to show, by the id of its layer in the tiles. */
export const KINDS = {
  faces: { name: 'displays', one: 'display', many: 'displays', id: 'spot_id' },
  places: { name: 'places', one: 'place', many: 'places', id: 'place_id' },
};

const LIGHT = {
  ground: '#f4f5f2', line: '#dcdfdb', soft: '#7b858d', halo: '#ffffff',
  displays: '#0b62a3', places: '#b04a00',
};
const DARK = {
  ground: '#14181c', line: '#2b3239', soft: '#8b959e', halo: '#14181c',
  displays: '#6db7f2', places: '#f5a35c',
};

const FONT = ['system-ui', 'sans-serif'];
const COUNT = ['get', 'count'];
const IS_CLUSTER = ['==', ['get', 'cluster'], true];

export function palette(dark) {
  return dark ? DARK : LIGHT;
}

/**
 * The style before any TileJSON: a ground and the lines of the globe. Text needs no glyph server: without one
 * it is drawn with the system's fonts.
 */
export function ground(colors) {
  return {
    version: 8,
    sources: { graticule: { type: 'geojson', data: graticule([-180, -85, 180, 85], 10) } },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': colors.ground } },
      { id: 'graticule', type: 'line', source: 'graticule', paint: { 'line-color': colors.line } },
      {
        id: 'graticule-degrees', type: 'symbol', source: 'graticule',
        layout: {
          'symbol-placement': 'line', 'symbol-spacing': 500,
          'text-field': ['get', 'degrees'], 'text-font': FONT, 'text-size': 11,
        },
        paint: { 'text-color': colors.soft, 'text-halo-color': colors.ground, 'text-halo-width': 2 },
      },
    ],
  };
}

/** The layers of a kind, from the bottom up. */
export function layersOf(kind, source, colors) {
  const color = colors[kind.name];
  const of = { source, 'source-layer': Object.keys(KINDS).find((id) => KINDS[id] === kind) };
  const single = kind.name === 'displays' ? display(color, colors) : place(color, colors);
  return [
    { id: `${kind.name}-singles`, type: 'circle', ...of, filter: ['!', IS_CLUSTER], ...single },
    { id: `${kind.name}-clusters`, type: 'circle', ...of, filter: IS_CLUSTER, ...cluster(color) },
    {
      id: `${kind.name}-counts`, type: 'symbol', ...of, filter: IS_CLUSTER,
      layout: {
        'text-field': shortCount(), 'text-font': FONT, 'text-size': 11,
        'text-allow-overlap': true, 'text-ignore-placement': true,
      },
      paint: { 'text-color': color, 'text-halo-color': colors.halo, 'text-halo-width': 1.5 },
    },
  ];
}

/**
 * How far from the middle of its circle a count is, in its own height. Where both kinds are shown their
 * circles often coincide, so one count goes above the other.
 */
export function offsetOfCount(kind, alone) {
  return [0, alone ? 0 : kind.name === 'displays' ? -0.7 : 0.35];
}

/** Lines every so many degrees within bounds, each with its name. */
export function graticule([west, south, east, north], step) {
  const features = [];
  const line = (coordinates, degrees) => {
    const geometry = { type: 'LineString', coordinates };
    features.push({ type: 'Feature', properties: { degrees }, geometry });
  };
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const side = (value, ahead, behind) => (value === 0 ? '' : ` ${value > 0 ? ahead : behind}`);
  const named = (value, ahead, behind) => `${Math.abs(value).toFixed(digits)}°${side(value, ahead, behind)}`;
  for (let n = Math.ceil(west / step); n * step <= east; n += 1) {
    line([[n * step, south], [n * step, north]], named(n * step, 'E', 'W'));
  }
  for (let n = Math.ceil(south / step); n * step <= north; n += 1) {
    line([[west, n * step], [east, n * step]], named(n * step, 'N', 'S'));
  }
  return { type: 'FeatureCollection', features };
}

function cluster(color) {
  const radius = ['interpolate', ['linear'], ['log10', COUNT], 0.3, 11, 2, 14, 3, 17, 4, 20, 5, 24];
  return {
    layout: { 'circle-sort-key': ['-', 0, COUNT] },
    paint: {
      'circle-radius': radius, 'circle-color': color, 'circle-opacity': 0.16,
      'circle-stroke-color': color, 'circle-stroke-width': 1.5, 'circle-stroke-opacity': 0.8,
    },
  };
}

function display(color, colors) {
  const of = (digital, otherwise) => ['case', ['==', ['get', 'digital'], true], digital, otherwise];
  return {
    layout: {},
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, 2.5, 10, 3.5, 15, 7],
      'circle-color': of(color, colors.halo),
      'circle-stroke-color': of(colors.halo, color), 'circle-stroke-width': of(1, 2),
    },
  };
}

function place(color, colors) {
  const visits = ['log10', ['max', 10, ['to-number', ['get', 'weekly_visits'], 10]]];
  const sized = (small, large) => ['interpolate', ['linear'], visits, 2, small, 5, large];
  return {
    layout: {},
    paint: {
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, sized(2, 3.5), 15, sized(4, 10)],
      'circle-color': color, 'circle-opacity': 0.85,
      'circle-stroke-color': colors.halo, 'circle-stroke-width': 1,
    },
  };
}

/** 987, 1.2k, 34k, 5.6M: what fits into a circle. */
function shortCount() {
  const rounded = (unit, digits) => ['to-string', ['/', ['round', ['/', COUNT, unit / digits]], digits]];
  return ['step', COUNT, ['to-string', COUNT],
    1000, ['concat', rounded(1e3, 10), 'k'], 9950, ['concat', rounded(1e3, 1), 'k'],
    999500, ['concat', rounded(1e6, 10), 'M']];
}
