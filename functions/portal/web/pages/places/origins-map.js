// The map of visitor origins. It shades counties by their share of visits and shows ZIP codes as circles.

import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { LngLatBounds } from 'maplibre-gl';
import { boundaries, codeOf, shapes } from '../../map/boundaries.js';
import { MapView } from '../../map/map-view.js';
import { number, percent } from '../../ui/format.js';

/** @typedef {import('./report.js').Report} Report */
/** @typedef {import('../../map/colors.js').Colors} Colors */
/** @typedef {import('maplibre-gl').Map} LibreMap */
/** @typedef {{area: Report['postal_code'][number], lat: number, lon: number}} ZipPoint */
/** @typedef {GeoJSON.Feature<GeoJSON.Geometry, {name: string, visits: number, share: number}>} Origin */

/** The classes of counties by their share of visits, lowest first. `from` is inclusive. */
export const CLASSES = [
  { from: 0, title: `under ${percent(0.01, 0)}`, opacity: 0.12 },
  { from: 0.01, title: `${percent(0.01, 0)} to ${percent(0.05, 0)}`, opacity: 0.3 },
  { from: 0.05, title: `${percent(0.05, 0)} to ${percent(0.2, 0)}`, opacity: 0.5 },
  { from: 0.2, title: `${percent(0.2, 0)} to ${percent(0.5, 0)}`, opacity: 0.7 },
  { from: 0.5, title: `${percent(0.5, 0)} and more`, opacity: 0.92 },
];
/** The minimum share of visits that the counties in the initial view must cover. */
const SHOWN = 0.9;
const WIDEST = 22;

/**
 * Shows the map of origins. A line below the map describes the area under the pointer.
 * @param {{report: Report, points: ZipPoint[] | null, label: string}} props
 */
export function OriginsMap({ report, points, label }) {
  const map = useRef(/** @type {LibreMap | null} */ (null));
  const [counties, setCounties] = useState(/** @type {Origin[] | null} */ (null));
  const [said, setSaid] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const latest = useRef({ counties, points });
  latest.current = { counties, points };
  useEffect(() => {
    boundaries().then((topology) => setCounties(originsOf(report, topology)), () => setIsMissing(true));
  }, [report]);
  useEffect(() => {
    if (map.current) fill(map.current, latest.current);
  }, [counties, points]);
  useEffect(() => {
    if (map.current && counties) fit(map.current, counties);
  }, [counties]);
  const onReady = (/** @type {LibreMap} */ ready) => {
    map.current = ready;
    if (latest.current.counties) fit(ready, latest.current.counties);
    ready.on('mousemove', (event) => setSaid(nameAt(ready, event.point)));
    ready.on('mouseout', () => setSaid(''));
    return () => { map.current = null; };
  };
  const draw = (/** @type {LibreMap} */ ready, /** @type {Colors} */ colors) => {
    addLayers(ready, colors);
    fill(ready, latest.current);
  };
  return html`
    <${MapView} label=${label} draw=${draw} onReady=${onReady} />
    <output class="map-said">${isMissing ? 'County boundaries couldn’t be loaded.' : said}</output>`;
}

/**
 * @param {LibreMap} map
 * @param {import('../../map/colors.js').Colors} colors
 */
function addLayers(map, colors) {
  const data = { type: /** @type {const} */ ('FeatureCollection'), features: [] };
  map.addSource('origins', { type: 'geojson', data });
  map.addSource('zips', { type: 'geojson', data });
  const [first, ...rest] = CLASSES;
  const opacity = /** @type {any} */ (
    ['step', ['get', 'share'], first.opacity, ...rest.flatMap(({ from, opacity: shade }) => [from, shade])]);
  // Draw the shading below the county boundaries.
  map.addLayer({
    id: 'origins', type: 'fill', source: 'origins',
    paint: { 'fill-color': colors.places, 'fill-opacity': opacity },
  }, 'counties');
  map.addLayer({
    id: 'zips', type: 'circle', source: 'zips',
    paint: {
      'circle-radius': ['max', 3, ['*', WIDEST, ['sqrt', ['get', 'ofLargest']]]],
      'circle-color': colors.accent, 'circle-opacity': 0.45,
      'circle-stroke-color': colors.accent, 'circle-stroke-width': 1.5,
    },
  });
}

/**
 * @param {LibreMap} map
 * @param {{counties: Origin[] | null, points: ZipPoint[] | null}} shown
 */
function fill(map, { counties, points }) {
  const source = (/** @type {string} */ id) =>
    /** @type {import('maplibre-gl').GeoJSONSource | undefined} */ (map.getSource(id));
  const most = Math.max(1, ...(points ?? []).map(({ area }) => area.weekly_visits));
  source('origins')?.setData({ type: 'FeatureCollection', features: counties ?? [] });
  source('zips')?.setData({
    type: 'FeatureCollection',
    features: (points ?? []).map(({ area, lat, lon }) => ({
      type: 'Feature',
      properties: {
        name: `${codeOf(area.id)} ${area.description}`, visits: area.weekly_visits,
        ofLargest: area.weekly_visits / most,
      },
      geometry: { type: 'Point', coordinates: [lon, lat] },
    })),
  });
}

/**
 * @param {LibreMap} map
 * @param {import('maplibre-gl').Point} point
 */
function nameAt(map, point) {
  const layers = ['zips', 'origins'].filter((id) => map.getLayer(id));
  const [feature] = map.queryRenderedFeatures(point, { layers });
  if (!feature) return '';
  const { name, visits, share } = feature.properties;
  return `${name}: ${number(visits)} weekly visits${share === undefined ? '' : `, ${percent(share)}`}`;
}

/**
 * Fits the map to the counties with the most visits.
 * @param {LibreMap} map
 * @param {Origin[]} counties sorted by visits, highest first
 */
function fit(map, counties) {
  const bounds = new LngLatBounds();
  let share = 0;
  for (const county of counties) {
    if (share >= SHOWN) break;
    share += county.properties.share;
    corners(county.geometry, (corner) => bounds.extend(corner));
  }
  if (!bounds.isEmpty()) map.fitBounds(bounds, { padding: 32, animate: false, maxZoom: 10 });
}

/**
 * @param {GeoJSON.Geometry} geometry
 * @param {(corner: [number, number]) => void} take
 */
function corners(geometry, take) {
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return;
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  for (const ring of parts.flat()) {
    for (const corner of ring) take(/** @type {[number, number]} */ (corner));
  }
}

/**
 * @param {Report} report
 * @param {import('../../map/boundaries.js').Topology} topology
 * @returns {Origin[]} the counties that have a boundary, most visits first
 */
function originsOf(report, topology) {
  const shapeOf = new Map(shapes(topology, 'counties').map((shape) => [String(shape.id), shape.geometry]));
  const total = report.places[0].visits;
  return report.county.flatMap(({ id, description, weekly_visits: visits }) => {
    const geometry = shapeOf.get(codeOf(id));
    const properties = { name: description, visits, share: visits / total };
    return geometry ? [{ type: /** @type {const} */ ('Feature'), properties, geometry }] : [];
  });
}
