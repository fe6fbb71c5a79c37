// Circles and rectangles that people draw on the map.

import { circleAround, metersBetween } from './geodesy.js';

/** @typedef {import('./geodesy.js').Point} Point */
/** @typedef {{kind: 'circle', center: Point, meters: number}} Circle */
/** @typedef {{kind: 'rectangle', west: number, south: number, east: number, north: number}} Rectangle */
/** @typedef {Circle | Rectangle} Area */

/** The minimum length of a drag, in pixels. A shorter drag doesn't draw an area. */
const LEAST_DRAG = 5;

/**
 * Converts an area to a polygon.
 * @param {Area} area
 * @returns {import('geojson').Feature<import('geojson').Polygon>}
 */
function polygonOf(area) {
  const ring = area.kind === 'circle' ? circleAround(area.center, area.meters) : cornersOf(area);
  return { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } };
}

/**
 * Returns an area's bounding box: west, south, east, north.
 * @param {Area} area
 * @returns {[number, number, number, number]}
 */
export function boxOf(area) {
  const ring = polygonOf(area).geometry.coordinates[0] ?? [];
  const [longitudes, latitudes] = [ring.map(([x]) => x ?? 0), ring.map(([, y]) => y ?? 0)];
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
}

/**
 * Adds the empty layers in which `showArea` draws an area.
 * @param {import('maplibre-gl').Map} map
 * @param {import('./colors.js').Colors} colors
 */
export function addAreaLayers(map, { accent }) {
  map.addSource('area', { type: 'geojson', data: nothing() });
  const inside = { 'fill-color': accent, 'fill-opacity': 0.08 };
  const line = { 'line-color': accent, 'line-width': 2 };
  map.addLayer({ id: 'area-inside', type: 'fill', source: 'area', paint: inside });
  map.addLayer({ id: 'area-line', type: 'line', source: 'area', paint: line });
}

/**
 * Draws an area in the layers that `addAreaLayers` added, in place of the previous area.
 * @param {import('maplibre-gl').Map} map
 * @param {Area | null} area null to draw nothing
 */
export function showArea(map, area) {
  const source = /** @type {import('maplibre-gl').GeoJSONSource | undefined} */ (map.getSource('area'));
  source?.setData(area ? polygonOf(area) : nothing());
}

/**
 * Lets the person draw an area with one drag: a circle from its center, or a rectangle from corner to corner.
 * @param {import('maplibre-gl').Map} map
 * @param {Area['kind']} kind
 * @param {(area: Area) => void} onDrawn
 * @returns {() => void} a function that stops drawing
 */
export function drawArea(map, kind, onDrawn) {
  const surface = map.getCanvasContainer();
  const controller = new AbortController();
  const { signal } = controller;
  /** @type {{x: number, y: number} | null} */
  let from = null;
  const at = (/** @type {PointerEvent} */ event) => {
    const box = surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const to = (/** @type {PointerEvent} */ event) => {
    const [start, end] = [/** @type {{x: number, y: number}} */ (from), at(event)];
    if (Math.hypot(end.x - start.x, end.y - start.y) < LEAST_DRAG) return null;
    return between(kind, map.unproject([start.x, start.y]), map.unproject([end.x, end.y]));
  };
  hold(map, true);
  // Dragging on selected text would start a drag and drop.
  getSelection()?.removeAllRanges();
  surface.classList.add('drawing');
  surface.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    from = at(event);
    surface.setPointerCapture(event.pointerId);
  }, { signal });
  surface.addEventListener('pointermove', (event) => from && showArea(map, to(event)), { signal });
  surface.addEventListener('pointerup', (event) => {
    const drawn = from && to(event);
    from = null;
    if (drawn) onDrawn(drawn);
  }, { signal });
  return () => {
    controller.abort();
    surface.classList.remove('drawing');
    hold(map, false);
  };
}

/**
 * @param {Area['kind']} kind
 * @param {import('maplibre-gl').LngLat} start
 * @param {import('maplibre-gl').LngLat} end
 * @returns {Area}
 */
function between(kind, start, end) {
  const [from, to] = [start.wrap(), end.wrap()];
  if (kind === 'circle') {
    const meters = metersBetween([from.lng, from.lat], [to.lng, to.lat]);
    return { kind, center: [from.lng, from.lat], meters };
  }
  const { min, max } = Math;
  return {
    kind, west: min(from.lng, to.lng), south: min(from.lat, to.lat),
    east: max(from.lng, to.lng), north: max(from.lat, to.lat),
  };
}

/**
 * Disables the map's own gestures during drawing, and enables them afterward.
 * @param {import('maplibre-gl').Map} map
 * @param {boolean} isHeld
 */
function hold(map, isHeld) {
  for (const handler of [map.dragPan, map.boxZoom, map.doubleClickZoom, map.touchZoomRotate]) {
    if (isHeld) handler.disable();
    else handler.enable();
  }
  if (!isHeld) map.touchZoomRotate.disableRotation();
}

/**
 * @param {Rectangle} rectangle
 * @returns {Point[]}
 */
function cornersOf({ west, south, east, north }) {
  // If the rectangle crosses the antimeridian, the longitudes continue beyond 180°.
  const right = east < west ? east + 360 : east;
  return [[west, north], [right, north], [right, south], [west, south], [west, north]];
}

/** @returns {import('geojson').FeatureCollection} */
function nothing() {
  return { type: 'FeatureCollection', features: [] };
}
