// Places that were found, on a map: what is selected there is selected in the list, and the other way round.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { LngLatBounds } from 'maplibre-gl';
import { MapView } from '../../map/map-view.js';
import { circleShape } from '../../map/circle-shape.js';

/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */
/** @typedef {import('maplibre-gl').Map} LibreMap */
/** @typedef {import('maplibre-gl').GeoJSONSource} GeoJSONSource */

/**
 * @typedef {object} Shown
 * @property {FoundPlace[]} places
 * @property {string | null} selected a `place_id`
 * @property {Set<string>} [chosen] the ids that keep a mark of their own
 * @property {{lat: number, lon: number, miles: number} | null} [circle]
 * @property {boolean} [isPicking] whether a click picks a point and no place
 */

/**
 * Shows places, and the circle that they were looked for in.
 * @param {Shown & {label: string, onSelect: (id: string) => void, onPick?: (lat: number, lon: number) => void,
 *   mapRef?: {current: LibreMap | null}}} props
 */
export function PlacesMap(props) {
  const own = useRef(/** @type {LibreMap | null} */ (null));
  const latest = useRef(props);
  latest.current = props;
  const { places, selected, chosen, circle } = props;
  const draw = (/** @type {LibreMap} */ map, /** @type {import('../../map/colors.js').Colors} */ colors) => {
    addLayers(map, colors);
    fill(map, latest.current);
  };
  const onReady = (/** @type {LibreMap} */ map) => {
    own.current = map;
    if (props.mapRef) props.mapRef.current = map;
    listen(map, () => latest.current);
    fit(map, latest.current);
    return () => { own.current = null; };
  };
  useEffect(() => {
    if (own.current) fill(own.current, latest.current);
  }, [places, selected, chosen, circle?.lat, circle?.lon, circle?.miles]);
  useEffect(() => {
    if (own.current) fit(own.current, latest.current);
  }, [places]);
  return html`<${MapView} label=${props.label} draw=${draw} onReady=${onReady} />`;
}

/**
 * @param {LibreMap} map
 * @param {import('../../map/colors.js').Colors} colors
 */
function addLayers(map, colors) {
  const empty = { type: /** @type {const} */ ('FeatureCollection'), features: [] };
  map.addSource('circle', { type: 'geojson', data: empty });
  map.addSource('found', { type: 'geojson', data: empty });
  map.addLayer({
    id: 'circle', type: 'line', source: 'circle',
    paint: { 'line-color': colors.accent, 'line-width': 2, 'line-dasharray': [3, 2] },
  });
  const state = (/** @type {any} */ selected, /** @type {any} */ chosen, /** @type {any} */ otherwise) =>
    /** @type {any} */ (['case', ['get', 'selected'], selected, ['get', 'chosen'], chosen, otherwise]);
  map.addLayer({
    id: 'found', type: 'circle', source: 'found',
    layout: { 'circle-sort-key': state(2, 1, 0) },
    paint: {
      'circle-radius': state(10, 8, 6),
      'circle-color': state(colors.accent, colors.places, colors.places),
      'circle-opacity': state(1, 1, 0.85),
      'circle-stroke-color': state(colors.halo, colors.accent, colors.halo),
      'circle-stroke-width': state(2, 3, 1),
    },
  });
}

/**
 * @param {LibreMap} map
 * @param {Shown} shown
 */
function fill(map, { places, selected, chosen, circle }) {
  const source = (/** @type {string} */ id) => /** @type {GeoJSONSource | undefined} */ (map.getSource(id));
  const features = places.filter(isLocated).map((place) => ({
    type: /** @type {const} */ ('Feature'),
    properties: {
      id: place.place_id, name: place.place_name,
      selected: place.place_id === selected, chosen: chosen?.has(place.place_id ?? '') ?? false,
    },
    geometry: { type: /** @type {const} */ ('Point'), coordinates: position(place) },
  }));
  source('found')?.setData({ type: 'FeatureCollection', features });
  source('circle')?.setData({
    type: 'FeatureCollection', features: circle ? [circleShape(circle)] : [],
  });
}

/**
 * @param {LibreMap} map
 * @param {() => Shown & {onSelect: (id: string) => void, onPick?: (lat: number, lon: number) => void}} now
 */
function listen(map, now) {
  map.on('click', (event) => {
    const { isPicking, onPick, onSelect } = now();
    if (isPicking) return onPick?.(event.lngLat.lat, event.lngLat.lng);
    if (!map.getLayer('found')) return;
    const near = /** @type {[import('maplibre-gl').PointLike, import('maplibre-gl').PointLike]} */ ([
      [event.point.x - 4, event.point.y - 4], [event.point.x + 4, event.point.y + 4],
    ]);
    const [feature] = map.queryRenderedFeatures(near, { layers: ['found'] });
    if (feature) onSelect(feature.properties.id);
  });
  map.on('mousemove', (event) => {
    if (!map.getLayer('found')) return;
    const isOver = map.queryRenderedFeatures(event.point, { layers: ['found'] }).length > 0;
    map.getCanvas().style.cursor = now().isPicking ? 'crosshair' : isOver ? 'pointer' : '';
  });
}

/**
 * Moves the map to what is shown.
 * @param {LibreMap} map
 * @param {Shown} shown
 */
function fit(map, { places }) {
  const located = places.filter(isLocated);
  if (located.length === 0) return;
  const bounds = new LngLatBounds();
  for (const place of located) bounds.extend(position(place));
  const animate = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  map.fitBounds(bounds, { padding: 48, maxZoom: 14, animate, duration: 400 });
}

/** @param {FoundPlace} place */
function isLocated({ location }) {
  return location?.lat !== undefined && location.lon !== undefined;
}

/**
 * @param {FoundPlace} place
 * @returns {[number, number]}
 */
function position({ location }) {
  return [location?.lon ?? 0, location?.lat ?? 0];
}
