// The map of the places that a search found. It shares the selection with the list of results.

import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { LngLatBounds } from 'maplibre-gl';
import { addAreaLayers, boxOf, drawArea, showArea } from '../../map/area.js';
import { MapView } from '../../map/map-view.js';
import { number } from '../../ui/format.js';

/** @typedef {import('../../map/area.js').Area} Area */
/** @typedef {import('./use-search.js').FoundPlace} FoundPlace */
/** @typedef {import('maplibre-gl').Map} LibreMap */

/** The tolerance for comparing areas, in degrees, because the address rounds coordinates to 5 decimals. */
const ROUNDING = 1e-5;

/**
 * @typedef {object} Shown
 * @property {FoundPlace[]} places all places on the map
 * @property {FoundPlace[]} found the results of the last search, which the map zooms to
 * @property {string | null} selected the ID of the highlighted place
 * @property {Set<string>} chosen the IDs of the places that were added to the event
 * @property {Area | null} area the search area
 */

/**
 * Shows the places and the search area, with tools for drawing another search area.
 * @param {Shown & {label: string, onSelect: (id: string) => void, onDrawn: (area: Area) => void,
 *   mapRef: {current: LibreMap | null}}} props
 */
export function PlacesMap(props) {
  const { places, found, selected, chosen, area, mapRef } = props;
  const [said, setSaid] = useState('');
  const [tool, setTool] = useState(/** @type {Area['kind'] | null} */ (null));
  const latest = useRef({ ...props, tool });
  latest.current = { ...props, tool };
  const draw = (/** @type {LibreMap} */ map, /** @type {import('../../map/colors.js').Colors} */ colors) => {
    addAreaLayers(map, colors);
    addLayer(map, colors);
    fill(map, latest.current);
  };
  const onReady = (/** @type {LibreMap} */ map) => {
    mapRef.current = map;
    listen(map, () => latest.current, setSaid);
    fit(map, latest.current);
    return () => { mapRef.current = null; };
  };
  useEffect(() => {
    if (mapRef.current) fill(mapRef.current, latest.current);
  }, [places, selected, chosen, area]);
  useEffect(() => {
    if (mapRef.current) fit(mapRef.current, latest.current);
  }, [found]);
  useEffect(() => {
    if (!tool || !mapRef.current) return;
    return drawArea(mapRef.current, tool, (drawn) => {
      setTool(null);
      latest.current.onDrawn(drawn);
    });
  }, [tool]);
  return html`
    <${MapView} label=${props.label} draw=${draw} onReady=${onReady} />
    <${Tools} tool=${tool} onTool=${setTool} />
    <output class="map-said below">${said}</output>`;
}

/** @param {{tool: Area['kind'] | null, onTool: (tool: Area['kind'] | null) => void}} props */
function Tools({ tool, onTool }) {
  const button = (/** @type {Area['kind']} */ kind, /** @type {string} */ title) => html`
    <button type="button" aria-pressed=${tool === kind}
      onClick=${() => onTool(tool === kind ? null : kind)}>${title}</button>`;
  return html`
    <div class="map-tools" role="group" aria-label="Draw search area">
      ${button('circle', 'Circle')} ${button('rectangle', 'Rectangle')}
      <span role="status">${tool && 'Drag on the map.'}</span>
    </div>`;
}

/**
 * @param {LibreMap} map
 * @param {import('../../map/colors.js').Colors} colors
 */
function addLayer(map, colors) {
  map.addSource('found', { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
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
function fill(map, { places, selected, chosen, area }) {
  const source = /** @type {import('maplibre-gl').GeoJSONSource | undefined} */ (map.getSource('found'));
  const features = places.filter(isLocated).map((place) => ({
    type: /** @type {const} */ ('Feature'),
    properties: {
      id: place.place_id, about: about(place),
      selected: place.place_id === selected, chosen: chosen.has(place.place_id ?? ''),
    },
    geometry: { type: /** @type {const} */ ('Point'), coordinates: position(place) },
  }));
  source?.setData({ type: 'FeatureCollection', features });
  showArea(map, area);
}

/**
 * @param {LibreMap} map
 * @param {() => {onSelect: (id: string) => void, tool: string | null}} now
 * @param {(text: string) => void} say shows the description of the place under the pointer
 */
function listen(map, now, say) {
  map.on('click', ({ point: { x, y } }) => {
    const { tool, onSelect } = now();
    if (tool || !map.getLayer('found')) return;
    const [feature] = map.queryRenderedFeatures([[x - 4, y - 4], [x + 4, y + 4]], { layers: ['found'] });
    if (feature) onSelect(feature.properties.id);
  });
  map.on('mousemove', ({ point }) => {
    if (!map.getLayer('found')) return;
    const [feature] = map.queryRenderedFeatures(point, { layers: ['found'] });
    map.getCanvas().style.cursor = feature ? 'pointer' : '';
    say(feature ? feature.properties.about : '');
  });
  map.on('mouseout', () => say(''));
}

/**
 * Fits the map to the search area, unless the map already shows it at a suitable size. Without a search area,
 * fits the map to the places.
 * @param {LibreMap} map
 * @param {Shown} shown
 */
function fit(map, { places, found, area }) {
  const bounds = new LngLatBounds();
  const shown = found.length > 0 ? found : places;
  if (area) bounds.extend(boxOf(area));
  else for (const place of shown.filter(isLocated)) bounds.extend(position(place));
  if (bounds.isEmpty() || (area && isShown(map, bounds))) return;
  map.fitBounds(bounds, { padding: 48, maxZoom: 14, duration: 400 });
}

/**
 * Returns whether a map shows all of an area and the area takes up more than a third of the map's width.
 * @param {LibreMap} map
 * @param {LngLatBounds} bounds
 */
function isShown(map, bounds) {
  const seen = map.getBounds();
  const width = (/** @type {LngLatBounds} */ box) => box.getEast() - box.getWest();
  const outer = LngLatBounds.convert([
    seen.getWest() - ROUNDING, seen.getSouth() - ROUNDING,
    seen.getEast() + ROUNDING, seen.getNorth() + ROUNDING,
  ]);
  const isWhole = outer.contains(bounds.getSouthWest()) && outer.contains(bounds.getNorthEast());
  return isWhole && width(bounds) > width(seen) / 3;
}

/** @param {FoundPlace} place */
function about({ place_name: name, weekly_visits: visits }) {
  return visits ? `${name}: ${number(visits)} weekly visits` : `${name}: not measured`;
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
