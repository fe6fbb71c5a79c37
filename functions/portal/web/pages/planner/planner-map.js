// The layers of the planner's map, from bottom to top: tiles, search area, places, results, plan, and
// selection.

import { effect, signal } from '@preact/signals';
import { LngLat } from 'maplibre-gl';
import { addAreaLayers, boxOf, showArea } from '../../map/area.js';
import { displayPaint, placePaint } from '../../map/features.js';
import { refined, results } from './search.js';
import { members, ownGroups } from './groups.js';
import { placesShown } from './places-shown.js';
import { inOrder, selected } from './plan.js';
import { areaOf } from './filters.js';

/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('maplibre-gl').Map} LibreMap */
/** @typedef {import('@preact/signals').Signal<import('./filters.js').Filters>} FiltersSignal */

/** The visible part of the map as a rectangle, and a circle in its center. Null before the map exists. */
export const view = signal(/** @type {import('../../map/area.js').Area[] | null} */ (null));

/** The ID of the layer directly above the tiles. */
export const ABOVE_TILES = 'area-inside';
/** The opacity of a tile's single displays while search results are shown. */
const FAINT = 0.35;
/** If the results cover at most this fraction of the map's width and height, the map zooms in on them. */
const SMALL = 0.2;
/** If an area covers at most this fraction of the map's height, the map zooms in on it. */
const TINY = 0.02;

/**
 * Adds the layers for the search area, the places, the results, the plan, and the selected display.
 * @param {LibreMap} map
 * @param {import('../../map/colors.js').Colors} colors
 */
export function addLayers(map, colors) {
  addAreaLayers(map, colors);
  for (const source of ['near', 'found', 'chosen', 'selected']) {
    map.addSource(source, { type: 'geojson', data: pointsOf([]) });
  }
  const pointed = /** @type {const} */ ({ type: 'circle', metadata: { kind: 'displays' } });
  const radius = (/** @type {number} */ more) =>
    /** @type {any} */ (['interpolate', ['linear'], ['zoom'], 3, 3 + more, 10, 4 + more, 15, 8 + more]);
  // Wide outlines would hide the fill where displays are dense.
  const edge = /** @type {any} */ (['interpolate', ['linear'], ['zoom'], 10, 1, 14, 2]);
  const found = { ...displayPaint(colors.displays, colors), 'circle-radius': radius(0) };
  const ring = { 'circle-color': 'transparent', 'circle-stroke-color': colors.text };
  const mark = {
    'circle-color': colors.text, 'circle-stroke-color': colors.halo, 'circle-stroke-width': edge,
  };
  addPlaceLayer(map, colors, radius(0));
  map.addLayer({ id: 'found', source: 'found', ...pointed, paint: found });
  const outer = { ...mark, 'circle-radius': radius(1) };
  map.addLayer({ id: 'chosen', source: 'chosen', ...pointed, paint: outer });
  map.addLayer({
    id: 'chosen-middle', source: 'chosen', type: 'circle',
    paint: { 'circle-color': groupColor(colors), 'circle-radius': radius(-1) },
  });
  map.addLayer({
    id: 'selected', source: 'selected', type: 'circle',
    paint: { ...ring, 'circle-stroke-width': 3, 'circle-radius': radius(7) },
  });
}

/**
 * Draws the data immediately and redraws it after every change.
 * @param {LibreMap} map
 * @param {FiltersSignal} filters
 * @returns {() => void} a function that stops the updates
 */
export function keepDrawn(map, filters) {
  const ends = drawings(map, filters).map((draw) => effect(draw));
  return () => ends.forEach((end) => end());
}

/**
 * Draws all data once. The layers must have been added by `addLayers`.
 * @param {LibreMap} map
 * @param {FiltersSignal} filters
 */
export function drawAll(map, filters) {
  for (const draw of drawings(map, filters)) draw();
  fade(map);
}

/**
 * Dims the displays in tiles while search results are shown.
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
 * Fits the map to the results if any of them are out of view or if they cover too little of the map.
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
 * Moves the map to an area if any part of it is out of view or if it's too small to see.
 * @param {LibreMap} map
 * @param {import('../../map/area.js').Area} area
 */
export function bringAreaIntoSight(map, area) {
  const [west, south, east, north] = boxOf(area);
  const seen = map.getBounds();
  const isInside = seen.contains([west, south]) && seen.contains([east, north]);
  const share = (north - south) / (seen.getNorth() - seen.getSouth());
  if (isInside && share > TINY) return;
  map.fitBounds([west, south, east, north], { padding: 40 });
}

/**
 * Stores the map's view in `view`.
 * @param {LibreMap} map
 */
export function noteView(map) {
  const { lng, lat } = map.getCenter();
  const { clientWidth: width, clientHeight: height } = map.getCanvas();
  const { left = 0, right = 0 } = map.getPadding();
  // The rectangle is the part of the map between the panels.
  const { lng: west, lat: north } = map.unproject([left, 0]);
  const { lng: east, lat: south } = map.unproject([width - right, height]);
  const meters = map.getCenter().distanceTo(new LngLat(east, north)) / 4;
  view.value = [
    { kind: 'circle', center: [lng, lat], meters }, { kind: 'rectangle', west, south, east, north },
  ];
}

/**
 * Centers the map on a display if the display is out of view or behind a panel.
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
  const set = (/** @type {string} */ name, /** @type {import('geojson').FeatureCollection} */ data) => {
    const source = /** @type {import('maplibre-gl').GeoJSONSource | undefined} */ (map.getSource(name));
    source?.setData(data);
  };
  const put = (/** @type {string} */ name, /** @type {Display[]} */ displays,
    /** @type {Map<number, number>} */ groups = new Map()) => {
    set(name, pointsOf(displays, groups));
  };
  return [
    () => showArea(map, areaOf(filters.value)),
    () => {
      put('found', refined(results.value?.displays ?? [], filters.value));
      fade(map);
    },
    () => {
      const { search, places } = placesShown.value;
      set('near', placePoints(search === results.value?.search ? places : []));
    },
    () => put('chosen', inOrder.value, colorsById()),
    () => put('selected', selected.value ? [selected.value] : []),
  ];
}

/**
 * Adds the layer for the places of the search. Places that displays must not be near are outlined circles.
 * @param {LibreMap} map
 * @param {import('../../map/colors.js').Colors} colors
 * @param {any} radius
 */
function addPlaceLayer(map, colors, radius) {
  const isAway = ['==', ['get', 'is_away'], true];
  const ofAway = (/** @type {any} */ away, /** @type {any} */ near) =>
    /** @type {any} */ (['case', isAway, away, near]);
  const paint = {
    ...placePaint(colors.places, colors), 'circle-radius': radius,
    'circle-color': ofAway(colors.halo, colors.places),
    'circle-stroke-color': ofAway(colors.places, colors.halo), 'circle-stroke-width': ofAway(2, 1),
  };
  map.addLayer({ id: 'near', source: 'near', type: 'circle', metadata: { kind: 'places' }, paint });
}

/**
 * Converts places to points that have the same properties as the points in tiles.
 * @param {import('./places-shown.js').ShownPlace[]} places
 * @returns {import('geojson').FeatureCollection}
 */
function placePoints(places) {
  return {
    type: 'FeatureCollection',
    features: places.map(({ id, name, type, at, isAway }) => ({
      type: 'Feature', geometry: { type: 'Point', coordinates: at },
      properties: { place_id: id, name, type, is_away: isAway },
    })),
  };
}

/**
 * Returns an expression for the color of a display in the plan: its group's color, or the default color of
 * displays.
 * @param {import('../../map/colors.js').Colors} colors
 * @returns {any}
 */
function groupColor(colors) {
  const own = colors.groups.flatMap((color, n) => [n + 1, color]);
  return ['match', ['coalesce', ['get', 'group_color'], 0], ...own, colors.displays];
}

/** Returns the number of the group's color for each display in a group that the person created. */
function colorsById() {
  const byKey = new Map(ownGroups.value.map(({ key, color }) => [key, color]));
  return new Map([...members.value].map(([id, key]) => [id, byKey.get(key) ?? 0]));
}

/**
 * Converts displays to points that have the same properties as the points in tiles, and the group's color.
 * @param {Display[]} displays
 * @param {Map<number, number>} [groups] the numbers of the groups' colors, by display ID
 * @returns {import('geojson').FeatureCollection}
 */
function pointsOf(displays, groups) {
  return {
    type: 'FeatureCollection',
    features: displays.map(({ id, at, digital, mediaType, owner, market }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: at },
      properties: {
        spot_id: id, digital, media_type: mediaType, operator: owner, dma: market,
        group_color: groups?.get(id),
      },
    })),
  };
}
