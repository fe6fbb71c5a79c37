// What the planner draws on the map: tiles below, what was found above them, what was chosen above all.

import { effect, signal } from '@preact/signals';
import { addAreaLayers, showArea } from '../../map/area.js';
import { displayPaint } from '../../map/features.js';
import { narrowed, results } from './search.js';
import { inOrder, selected } from './plan.js';
import { areaOf } from './filters.js';

/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('maplibre-gl').Map} LibreMap */
/** @typedef {import('@preact/signals').Signal<import('./filters.js').Filters>} FiltersSignal */

/** What the map shows, for those who type an area; null before there is a map. */
export const view = signal(/** @type {import('../../map/area.js').Area[] | null} */ (null));

/** The layer that tiles go below. */
export const ABOVE_TILES = 'area-inside';
/** How much of the tiles is seen once something was found: enough to say what else there is. */
const FAINT = 0.35;
/** What takes less than this share of the map is too small to be told apart. */
const SMALL = 0.2;

/**
 * Adds the layers of what was found, chosen and selected.
 * @param {LibreMap} map
 * @param {import('../../map/colors.js').Colors} colors
 */
export function addLayers(map, colors) {
  addAreaLayers(map, colors);
  for (const source of ['found', 'chosen', 'selected']) {
    map.addSource(source, { type: 'geojson', data: pointsOf([]) });
  }
  const pointed = /** @type {const} */ ({ type: 'circle', metadata: { kind: 'displays' } });
  const radius = (/** @type {number} */ more) =>
    /** @type {any} */ (['interpolate', ['linear'], ['zoom'], 3, 3 + more, 10, 4 + more, 15, 8 + more]);
  /** Where displays stand thick, wide edges would be all that is seen. */
  const edge = /** @type {any} */ (['interpolate', ['linear'], ['zoom'], 10, 1, 14, 2]);
  const found = { ...displayPaint(colors.displays, colors), 'circle-radius': radius(0) };
  const ring = { 'circle-color': 'transparent', 'circle-stroke-color': colors.text };
  const mark = {
    'circle-color': colors.text, 'circle-stroke-color': colors.halo, 'circle-stroke-width': edge,
  };
  map.addLayer({ id: 'found', source: 'found', ...pointed, paint: found });
  const outer = { ...mark, 'circle-radius': radius(1) };
  map.addLayer({ id: 'chosen', source: 'chosen', ...pointed, paint: outer });
  map.addLayer({
    id: 'chosen-middle', source: 'chosen', type: 'circle',
    paint: { 'circle-color': colors.displays, 'circle-radius': radius(-1) },
  });
  map.addLayer({
    id: 'selected', source: 'selected', type: 'circle',
    paint: { ...ring, 'circle-stroke-width': 3, 'circle-radius': radius(7) },
  });
}

/**
 * Draws what is there now, and again whatever changes, for as long as the map is there.
 * @param {LibreMap} map
 * @param {FiltersSignal} filters
 * @returns {() => void} ends it
 */
export function keepDrawn(map, filters) {
  const ends = drawings(map, filters).map((draw) => effect(draw));
  return () => ends.forEach((end) => end());
}

/**
 * Draws everything once more: the layers are new.
 * @param {LibreMap} map
 * @param {FiltersSignal} filters
 */
export function drawAll(map, filters) {
  for (const draw of drawings(map, filters)) draw();
  fade(map);
}

/**
 * Makes the tiles faint where something was found.
 * @param {LibreMap} map
 */
export function fade(map) {
  const opacity = results.value ? FAINT : 1;
  if (map.getLayer('displays-singles')) {
    map.setPaintProperty('displays-singles', 'circle-opacity', opacity);
    map.setPaintProperty('displays-singles', 'circle-stroke-opacity', opacity);
    map.setPaintProperty('displays-counts', 'text-opacity', results.value ? 0.7 : 1);
  }
}

/**
 * Moves the map to what was found, when it lies elsewhere or is too small to be told apart.
 * @param {LibreMap} map
 * @param {Display[]} displays
 */
export function bringAllIntoSight(map, displays) {
  if (displays.length === 0) return;
  const [longitudes, latitudes] = [displays.map(({ at }) => at[0]), displays.map(({ at }) => at[1])];
  const [west, south, east, north] =
    [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
  const seen = map.getBounds();
  const isInside = seen.contains([west, south]) && seen.contains([east, north]);
  const share = Math.max((east - west) / (seen.getEast() - seen.getWest()),
    (north - south) / (seen.getNorth() - seen.getSouth()));
  if (isInside && share > SMALL) return;
  map.fitBounds([west, south, east, north], { padding: 40, maxZoom: 14 });
}

/**
 * Keeps in mind what the map shows.
 * @param {LibreMap} map
 */
export function noteView(map) {
  const { lng, lat } = map.getCenter();
  const bounds = map.getBounds();
  const metres = map.getCenter().distanceTo(bounds.getNorthEast()) / 4;
  view.value = [
    { kind: 'circle', middle: [lng, lat], metres },
    {
      kind: 'rectangle', west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(),
      north: bounds.getNorth(),
    },
  ];
}

/**
 * Moves the map to a display that is out of sight, or behind a panel.
 * @param {LibreMap} map
 * @param {Display} display
 */
export function bringIntoSight(map, { at }) {
  const { clientWidth: width, clientHeight: height } = map.getCanvas();
  const { x, y } = map.project(at);
  const { left = 0, right = 0, top = 0, bottom = 0 } = map.getPadding();
  const isSeen = x > left && x < width - right && y > top && y < height - bottom;
  if (!isSeen) map.easeTo({ center: at, zoom: Math.max(map.getZoom(), 11) });
}

/**
 * @param {LibreMap} map
 * @param {FiltersSignal} filters
 */
function drawings(map, filters) {
  const put = (/** @type {string} */ name, /** @type {Display[]} */ displays) => {
    const source = /** @type {import('maplibre-gl').GeoJSONSource | undefined} */ (map.getSource(name));
    source?.setData(pointsOf(displays));
  };
  return [
    () => showArea(map, areaOf(filters.value)),
    () => {
      put('found', narrowed(results.value?.displays ?? [], filters.value));
      fade(map);
    },
    () => put('chosen', inOrder.value),
    () => put('selected', selected.value ? [selected.value] : []),
  ];
}

/**
 * Makes points with the properties that the tiles give theirs.
 * @param {Display[]} displays
 * @returns {import('geojson').FeatureCollection}
 */
function pointsOf(displays) {
  return {
    type: 'FeatureCollection',
    features: displays.map(({ id, at, digital, mediaType, operator, market }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: at },
      properties: { spot_id: id, digital, media_type: mediaType, operator, dma: market },
    })),
  };
}
