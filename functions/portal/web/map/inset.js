// Projects the country onto one sheet, with an equal-area projection for each part. Alaska (at a smaller
// scale), Hawaii, and Puerto Rico are below the mainland.

/** @typedef {import('topojson-specification').Topology} Topology */
/** @typedef {[number, number]} Point */

/** The extent of the sheet, in map degrees. */
export const SHEET = /** @type {[Point, Point]} */ ([[-28, -16], [24.4, 15.5]]);

/** The scale of the sheet, in map degrees per radian of the projection. */
const SCALE = 65;
const RADIAN = Math.PI / 180;
/**
 * Territories that aren't on the sheet: American Samoa, Guam, the Northern Marianas, and the Virgin Islands.
 */
const LEFT_OUT = ['60', '66', '69', '78'];

/** The parts of d3's composite projection (https://d3js.org/d3-geo/conic#geoAlbersUsa), plus Puerto Rico. */
const PARTS = [
  {
    isIn: isAlaska,
    project: part({
      meridian: -154, center: [-2, 58.5], parallels: [55, 65], size: 0.35, at: [-0.307, -0.201],
    }),
  },
  {
    isIn: isHawaii,
    project: part({ meridian: -157, center: [-3, 19.9], parallels: [8, 18], size: 1, at: [-0.205, -0.212] }),
  },
  {
    isIn: isPuertoRico,
    project: part({ meridian: -66, center: [0, 18], parallels: [8, 18], size: 1, at: [0.35, -0.224] }),
  },
];
const MAINLAND = part({ meridian: -96, center: [-0.6, 38.7], parallels: [29.5, 45.5], size: 1, at: [0, 0] });

/**
 * Projects a topology onto the sheet.
 * @param {Topology} topology in degrees
 * @returns {Topology}
 */
export function inset(topology) {
  const { transform, arcs, objects, type } = topology;
  const laid = arcs.map((arc) => {
    const given = /** @type {Point[]} */ (arc);
    const points = transform ? absolute(given, transform) : given;
    const first = /** @type {Point} */ (points[0]);
    const { project } = PARTS.find(({ isIn }) => isIn(first)) ?? { project: MAINLAND };
    return points.map(project);
  });
  const kept = Object.entries(objects).map(([name, object]) => [name, without(object)]);
  return { type, arcs: laid, objects: Object.fromEntries(kept) };
}

/**
 * @param {Topology['objects'][string]} object
 * @returns {Topology['objects'][string]}
 */
function without(object) {
  if (object.type !== 'GeometryCollection') return object;
  const isKept = (/** @type {{id?: string | number}} */ { id }) => !LEFT_OUT.includes(String(id).slice(0, 2));
  return { ...object, geometries: object.geometries.filter(isKept) };
}

/**
 * @param {Point[]} arc delta-encoded after the first point
 * @param {NonNullable<Topology['transform']>} transform
 * @returns {Point[]}
 */
function absolute(arc, { scale, translate }) {
  let [x, y] = [0, 0];
  return arc.map(([right, up]) => {
    x += right;
    y += up;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

/**
 * Returns a conic equal-area projection. It compensates for the map's own Mercator projection.
 * @param {{meridian: number, center: Point, parallels: Point, size: number, at: Point}} place `at` is the
 *   position of `center` on the sheet; its coordinates point right and up
 * @returns {(point: Point) => Point}
 */
function part({ meridian, center, parallels, size, at }) {
  const [low, high] = [Math.sin(parallels[0] * RADIAN), Math.sin(parallels[1] * RADIAN)];
  const n = (low + high) / 2;
  const c = 1 + low * (2 * n - low);
  const radius = (/** @type {number} */ latitude) => Math.sqrt(c - 2 * n * Math.sin(latitude * RADIAN)) / n;
  const plane = (/** @type {number} */ east, /** @type {number} */ latitude) => {
    const [r, angle] = [radius(latitude), east * RADIAN * n];
    return [r * Math.sin(angle), radius(0) - r * Math.cos(angle)];
  };
  const [left, bottom] = /** @type {Point} */ (plane(center[0], center[1]));
  return ([longitude, latitude]) => {
    const east = ((longitude - meridian + 540) % 360) - 180;
    const [x, y] = /** @type {Point} */ (plane(east, latitude));
    const up = ((y - bottom) * size + at[1]) * SCALE;
    return [((x - left) * size + at[0]) * SCALE, Math.atan(Math.sinh(up * RADIAN)) / RADIAN];
  };
}

/** @param {Point} point */
function isAlaska([longitude, latitude]) {
  return latitude > 50 && (longitude < -125 || longitude > 0);
}

/** @param {Point} point */
function isHawaii([longitude, latitude]) {
  return latitude > 0 && latitude < 30 && longitude < -150;
}

/** @param {Point} point */
function isPuertoRico([longitude, latitude]) {
  return latitude > 0 && latitude < 20 && longitude > -70 && longitude < 0;
}
