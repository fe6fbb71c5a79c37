// The map page: reads the TileJSON documents that its address names, and shows what is in their tiles.

import {
  AttributionControl, Map as MapView, NavigationControl, Popup, ScaleControl,
} from '/map/maplibre-gl.mjs';
import { KINDS, graticule, ground, layersOf, offsetOfCount, palette } from '/map/layers.js';
import { aboutCluster, aboutSingles, line, reason } from '/map/words.js';

/** A token that has run out is replaced at most this often, in milliseconds. */
const RENEWAL = 60_000;
/** How many features the list holds. */
const LISTED = 8;
/** The room around what is shown at first, in pixels. */
const ROOM = 40;
/** How far from the pointer a feature is still meant, in pixels. */
const REACH = 4;

const dark = matchMedia('(prefers-color-scheme: dark)');
/** Whether the address names a part of the map; the map itself writes there later. */
const placed = location.hash !== '';
/** What is shown: a kind, its source's id, where its TileJSON is, and when that was read. */
const shown = [];
const troubles = new Set();
const popup = new Popup({ maxWidth: '22rem', className: 'about' });
const hint = new Popup({ closeButton: false, closeOnClick: false, focusAfterOpen: false, className: 'hint' });

const map = new MapView({
  container: 'map', style: ground(palette(dark.matches)), hash: 'at',
  center: [-96, 38.5], zoom: 3.2, maxZoom: 18,
  dragRotate: false, pitchWithRotate: false, touchPitch: false, renderWorldCopies: false,
  attributionControl: false,
});
window.marqueeMap = map;

map.touchZoomRotate.disableRotation();
map.keyboard.disableRotation();
map.addControl(new NavigationControl({ showCompass: false }));
map.addControl(new ScaleControl({ unit: 'imperial' }));
map.addControl(new AttributionControl({ compact: false }));
map.on('error', ({ error, sourceId }) => failed(error, sourceId));
map.on('load', start);
map.on('moveend', drawGraticule);
map.on('idle', listNearby);
map.on('click', ({ point }) => open(featuresAt(point)));
map.on('mousemove', ({ point }) => hover(featuresAt(point)[0]));
map.on('mouseout', () => hover());
dark.addEventListener('change', recolor);
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !popup.isOpen()) return;
  popup.remove();
  map.getCanvas().focus();
});

async function start() {
  drawGraticule();
  const urls = new URLSearchParams(location.search).getAll('tilejson').filter((url) => url.trim());
  keepInForm(urls);
  if (urls.length === 0) {
    return say('Name a TileJSON below, or open the link that `make run` prints.');
  }
  const readOrSay = (url) => read(url).catch((error) => trouble(`${url}: ${error.message}`));
  const documents = await Promise.all(urls.map(readOrSay));
  urls.forEach((url, n) => documents[n] && add(url, documents[n]));
  const isBox = (bounds) => Array.isArray(bounds) && bounds.length === 4;
  const bounds = documents.map((document) => document?.bounds).filter(isBox);
  if (bounds.length && !placed) {
    const least = (n) => Math.min(...bounds.map((of) => of[n]));
    const most = (n) => Math.max(...bounds.map((of) => of[n]));
    // Beside the panel, where there is room for that.
    const panel = document.querySelector('aside').getBoundingClientRect().right;
    const left = panel < innerWidth / 2 ? panel + ROOM : ROOM;
    const padding = { top: ROOM, right: ROOM, bottom: ROOM, left };
    map.fitBounds([least(0), least(1), most(2), most(3)], { padding, animate: false, maxZoom: 11 });
  }
  say();
}

/** Reads a TileJSON document; the error says why it cannot be shown. */
async function read(url) {
  const address = URL.parse(url, location.href);
  if (address?.origin !== location.origin) {
    const own = location.origin;
    throw new Error(`this page shows what its own service serves, under ${own}, and nothing else.`);
  }
  const headers = { accept: 'application/json' };
  const answer = await fetch(address, { headers, referrerPolicy: 'no-referrer' })
    .catch(() => { throw new Error('the service does not answer.'); });
  if (!answer.ok) throw new Error(reason(answer.status));
  const document = await answer.json().catch(() => undefined);
  if (!Array.isArray(document?.tiles)) throw new Error('this is not TileJSON.');
  return document;
}

/** Adds the layers of a TileJSON document that the page knows. */
function add(url, document) {
  const kinds = (document.vector_layers ?? []).map(({ id }) => KINDS[id]).filter(Boolean);
  if (kinds.length === 0) return trouble(`${url}: it has neither displays (faces) nor places.`);
  for (const kind of kinds) {
    if (shown.some((other) => other.kind === kind)) continue;
    const source = kind.name;
    const { tiles, minzoom, maxzoom, bounds, attribution } = document;
    map.addSource(source, {
      type: 'vector', tiles, minzoom: minzoom ?? 0, maxzoom: maxzoom ?? 14,
      ...(bounds && { bounds }), ...(attribution && { attribution }),
    });
    const clusters = ['displays-clusters', 'places-clusters'].find((id) => map.getLayer(id));
    // Singles of one kind would hide below the clusters of the other: all of them lie on top.
    for (const layer of layersOf(kind, source, palette(dark.matches))) {
      map.addLayer(layer, layer.id.endsWith('-counts') ? undefined : clusters);
    }
    shown.push({ kind, source, url, read: Date.now() });
    listKind(kind);
  }
}

/** Says what is wrong with a source's tiles. Where the token has expired, asks for new addresses instead. */
async function failed(error, sourceId) {
  const of = shown.find(({ source }) => source === sourceId);
  if (!of) return trouble(error.message);
  if ([401, 410].includes(error.status) && Date.now() - of.read > RENEWAL) {
    of.read = Date.now();
    try {
      map.getSource(sourceId).setTiles((await read(of.url)).tiles);
    } catch (refused) {
      trouble(`No more ${of.kind.many}: ${refused.message}`);
    }
    return;
  }
  const why = error.status ? reason(error.status) : 'the service does not answer.';
  trouble(`Some ${of.kind.many} are missing: ${why}`);
}

/** The clusters and singles within reach of a point, the topmost first, each once. */
function featuresAt({ x, y }) {
  const layers = shown.flatMap(({ kind }) => [`${kind.name}-clusters`, `${kind.name}-singles`]);
  return distinct(map.queryRenderedFeatures([[x - REACH, y - REACH], [x + REACH, y + REACH]], { layers }));
}

function distinct(features) {
  const known = new Map();
  for (const feature of features) {
    const { properties, geometry, sourceLayer } = feature;
    const name = properties.cluster ? geometry.coordinates.join() : properties[KINDS[sourceLayer].id];
    if (!known.has(`${sourceLayer} ${name}`)) known.set(`${sourceLayer} ${name}`, feature);
  }
  return [...known.values()];
}

/** Zooms in on a cluster, or tells about singles. */
function open(features) {
  const singles = features.filter(({ properties }) => !properties.cluster);
  hint.remove();
  if (singles.length) {
    popup.setLngLat(singles[0].geometry.coordinates).addTo(map);
    const pairs = singles.map(({ sourceLayer, properties }) => [KINDS[sourceLayer], properties]);
    popup.setDOMContent(aboutSingles(pairs));
  } else if (features.length) {
    popup.remove();
    map.easeTo({ center: features[0].geometry.coordinates, zoom: map.getZoom() + 2 });
  }
}

function hover(feature) {
  map.getCanvas().style.cursor = feature ? 'pointer' : '';
  if (!feature?.properties.cluster) return hint.remove();
  const about = aboutCluster(KINDS[feature.sourceLayer], feature.properties);
  hint.setLngLat(feature.geometry.coordinates).setDOMContent(about);
  if (!hint.isOpen()) hint.addTo(map);
}

function drawGraticule() {
  const bounds = map.getBounds();
  const width = Math.max(1e-4, bounds.getEast() - bounds.getWest());
  const step = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01].find((step) => width / step >= 5) ?? 0.01;
  const around = (value, sign, most) => Math.max(-most, Math.min(most, value + (sign * width) / 2));
  const box = [
    around(bounds.getWest(), -1, 180), around(bounds.getSouth(), -1, 85),
    around(bounds.getEast(), 1, 180), around(bounds.getNorth(), 1, 85),
  ];
  map.getSource('graticule')?.setData(graticule(box, step));
}

/** Lists what is nearest to the middle, for those who use no pointer. */
function listNearby() {
  const layers = shown.flatMap(({ kind }) => [`${kind.name}-clusters`, `${kind.name}-singles`]);
  const middle = map.project(map.getCenter());
  const away = ({ geometry }) => {
    const { x, y } = map.project(geometry.coordinates);
    return Math.hypot(x - middle.x, y - middle.y);
  };
  const features = layers.length ? distinct(map.queryRenderedFeatures({ layers })) : [];
  const nearest = features.map((feature) => [away(feature), feature]);
  const items = nearest.sort(([a], [b]) => a - b).slice(0, LISTED).map(([, feature]) => {
    const item = document.createElement('li');
    const button = item.appendChild(document.createElement('button'));
    const kind = KINDS[feature.sourceLayer];
    button.className = kind.name;
    button.textContent = line(kind, feature.properties);
    button.addEventListener('click', () => open([feature]));
    return item;
  });
  const nearby = document.getElementById('nearby');
  const focused = [...nearby.querySelectorAll('button')].indexOf(document.activeElement);
  nearby.hidden = items.length === 0;
  nearby.querySelector('ol').replaceChildren(...items);
  // Who goes down through the clusters with the keyboard stays in the list.
  if (focused >= 0) items[Math.min(focused, items.length - 1)]?.firstChild.focus({ preventScroll: true });
}

function listKind(kind) {
  const item = document.createElement('li');
  item.className = kind.name;
  const label = item.appendChild(document.createElement('label'));
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: true });
  label.append(box);
  label.append(Object.assign(document.createElement('b'), { textContent: kind.many }));
  box.addEventListener('change', () => {
    for (const part of ['singles', 'clusters', 'counts']) {
      map.setLayoutProperty(`${kind.name}-${part}`, 'visibility', box.checked ? 'visible' : 'none');
    }
    placeCounts();
  });
  placeCounts();
  document.getElementById('kinds').append(item);
  const legend = document.getElementById('legend');
  legend.hidden = false;
  for (const row of legend.querySelectorAll('dl div')) {
    row.hidden = !shown.some((of) => row.classList.contains(of.kind.name));
  }
}

function placeCounts() {
  const layers = shown.map(({ kind }) => [kind, `${kind.name}-counts`]);
  const visible = layers.filter(([, layer]) => map.getLayoutProperty(layer, 'visibility') !== 'none');
  for (const [kind, layer] of layers) {
    map.setLayoutProperty(layer, 'text-offset', offsetOfCount(kind, visible.length < 2));
  }
}

/** What the form sends along, so that it adds to what is shown. */
function keepInForm(urls) {
  const form = document.querySelector('form');
  const hidden = (value) =>
    Object.assign(document.createElement('input'), { type: 'hidden', name: 'tilejson', value });
  form.prepend(...urls.map(hidden));
}

function recolor() {
  const colors = palette(dark.matches);
  const ofKinds = shown.flatMap(({ kind, source }) => layersOf(kind, source, colors));
  const layers = [...ground(colors).layers, ...ofKinds];
  for (const { id, paint } of layers) {
    for (const [name, value] of Object.entries(paint)) map.setPaintProperty(id, name, value);
  }
}

function trouble(text) {
  troubles.add(text);
  say();
}

function say(text = '') {
  const status = document.getElementById('status');
  status.textContent = [text, ...troubles].filter(Boolean).join('\n');
  status.className = troubles.size ? 'trouble' : '';
}
