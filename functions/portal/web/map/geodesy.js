// Distances and circles on the globe, calculated with the API's formulas.

/** The Earth's mean radius in meters, as in the API. */
const EARTH = 6_371_008.8;
/** The number of corners of the polygon that approximates a circle. */
const CORNERS = 96;

/** @typedef {[number, number]} Point longitude and latitude, in degrees */

/**
 * Returns the great-circle distance between two points.
 * @param {Point} from
 * @param {Point} to
 * @returns {number} meters
 */
export function metersBetween([west, south], [east, north]) {
  const [a, b] = [radians(south), radians(north)];
  const squared = Math.sin((b - a) / 2) ** 2
    + Math.cos(a) * Math.cos(b) * Math.sin(radians(east - west) / 2) ** 2;
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(squared)));
}

/**
 * Returns the closed outline of a circle.
 * @param {Point} center
 * @param {number} meters the radius
 * @returns {Point[]}
 */
export function circleAround([longitude, latitude], meters) {
  const angle = meters / EARTH;
  const at = radians(latitude);
  return Array.from({ length: CORNERS + 1 }, (_, n) => {
    const bearing = (2 * Math.PI * n) / CORNERS;
    const rise = Math.cos(at) * Math.sin(angle) * Math.cos(bearing);
    const north = Math.asin(Math.sin(at) * Math.cos(angle) + rise);
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(at),
      Math.cos(angle) - Math.sin(at) * Math.sin(north),
    );
    return [longitude + degrees(east), degrees(north)];
  });
}

/** @param {number} value */
function radians(value) {
  return (value * Math.PI) / 180;
}

/** @param {number} value */
function degrees(value) {
  return (value * 180) / Math.PI;
}
