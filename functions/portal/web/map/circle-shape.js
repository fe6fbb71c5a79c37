// A circle on the ground, as a line that a map draws.

/** The earth's mean radius, in miles. */
const EARTH = 3958.76;
const CORNERS = 72;
const DEGREES = 180 / Math.PI;

/**
 * Returns the line around all that lies within some miles of a point over the great circle.
 * @param {{lat: number, lon: number, miles: number}} circle
 * @returns {GeoJSON.Feature<GeoJSON.LineString>}
 */
export function circleShape({ lat, lon, miles }) {
  const angle = miles / EARTH;
  const from = lat / DEGREES;
  const coordinates = Array.from({ length: CORNERS + 1 }, (_, n) => {
    const bearing = (2 * Math.PI * n) / CORNERS;
    const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(bearing));
    const east = Math.atan2(Math.sin(bearing) * Math.sin(angle) * Math.cos(from), Math.cos(angle) - Math.sin(from) * Math.sin(to));
    return [lon + east * DEGREES, to * DEGREES];
  });
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } };
}
