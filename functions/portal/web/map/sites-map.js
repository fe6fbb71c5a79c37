// A map of selected displays or places.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { LngLatBounds } from 'maplibre-gl';
import { count } from '../ui/format.js';
import { MapView } from './map-view.js';
import { displayPaint, placePaint } from './features.js';

/** @typedef {{id: string, name: string, lat: number, lon: number}} Site */

/** The zoom level for showing a single site. */
const NEAR = 14;

/**
 * Shows sites on a map. Later changes to `items` don't affect the map. Clicking a site selects it, and
 * clicking elsewhere clears the selection.
 * @param {{kind: import('./features.js').Kind, items: Site[], selected: string | null,
 *   onSelect: (id: string | null) => void}} props
 */
export function SitesMap({ kind, items, selected, onSelect }) {
  const made = useRef(/** @type {import('maplibre-gl').Map | null} */ (null));
  const clicked = useRef(/** @type {string | null} */ (null));
  const select = useRef(onSelect);
  select.current = onSelect;
  useEffect(() => {
    const site = items.find(({ id }) => id === selected);
    const map = made.current;
    if (!map?.getLayer('selected')) return;
    map.setFilter('selected', isSelected(selected));
    // A site that was clicked on the map is already in view.
    if (!site || clicked.current === selected) return;
    map.easeTo({ center: [site.lon, site.lat], zoom: Math.max(map.getZoom(), NEAR) });
  }, [selected, items]);
  /** @type {import('./map-view.js').Draw} */
  const draw = (map, colors) => {
    map.addSource('sites', { type: 'geojson', data: geoJson(items) });
    for (const layer of layers(kind, selected, colors)) map.addLayer(layer);
  };
  const ready = (/** @type {import('maplibre-gl').Map} */ map) => {
    made.current = map;
    map.on('click', (event) => {
      const [found] = map.queryRenderedFeatures(event.point, { layers: ['sites'] });
      clicked.current = found ? String(found.properties.id) : null;
      select.current(clicked.current);
    });
    map.on('mouseenter', 'sites', () => { map.getCanvas().style.cursor = 'pointer'; });
    map.on('mouseleave', 'sites', () => { map.getCanvas().style.cursor = ''; });
    return () => { made.current = null; };
  };
  const options = items.length > 0
    ? { bounds: boundsOf(items), fitBoundsOptions: { padding: 40, maxZoom: NEAR } }
    : undefined;
  const label = `Map of ${count(items.length, kind === 'displays' ? 'display' : 'place')}`;
  return html`<${MapView} label=${label} draw=${draw} onReady=${ready} options=${options} />`;
}

/**
 * @param {import('./features.js').Kind} kind
 * @param {string | null} selected
 * @param {import('./colors.js').Colors} colors
 * @returns {import('maplibre-gl').AddLayerObject[]}
 */
function layers(kind, selected, colors) {
  const paint = (kind === 'displays' ? displayPaint : placePaint)(colors[kind], colors);
  const halo = {
    'circle-radius': 13, 'circle-color': colors.accent, 'circle-opacity': 0.3,
    'circle-stroke-color': colors.accent, 'circle-stroke-width': 2,
  };
  return [
    { id: 'selected', type: 'circle', source: 'sites', filter: isSelected(selected), paint: halo },
    { id: 'sites', type: 'circle', source: 'sites', paint: { ...paint, 'circle-radius': 6 } },
  ];
}

/** @param {Site[]} items */
function boundsOf(items) {
  const bounds = new LngLatBounds();
  for (const { lon, lat } of items) bounds.extend([lon, lat]);
  return bounds;
}

/**
 * @param {string | null} id
 * @returns {import('maplibre-gl').FilterSpecification}
 */
function isSelected(id) {
  return ['==', ['get', 'id'], id ?? ''];
}

/**
 * @param {Site[]} items
 * @returns {import('geojson').FeatureCollection}
 */
function geoJson(items) {
  return {
    type: 'FeatureCollection',
    features: items.map(({ id, name, lon, lat }) => ({
      type: 'Feature',
      properties: { id, name, digital: true },
      geometry: { type: 'Point', coordinates: [lon, lat] },
    })),
  };
}
