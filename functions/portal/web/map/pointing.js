// Pointer interaction with a map of tiles: hover hints, cluster zoom, and popups.

import { render } from 'preact';
import { html } from 'htm/preact';
import { Popup } from 'maplibre-gl';
import { AboutCluster, AboutSingles } from './about.js';
import { foundAt } from './found-features.js';

/** @typedef {import('./found-features.js').Found} Found */

/**
 * @typedef {object} Pointing
 * @property {(found: Found[]) => void} open opens a popup, or zooms in if there are only clusters
 * @property {() => void} close closes the popup
 * @property {() => void} leave removes the key listener and unmounts the content of both popups
 */

/**
 * Adds pointer interaction to a map.
 * @param {import('maplibre-gl').Map} map
 * @param {{action?: (single: Found) => any, onTold?: (singles: Found[]) => void, isHeld?: () => boolean}}
 *   [options] `action` renders the button of an item; `onTold` is called when a popup opens; `isHeld` returns
 *   whether a tool is using the pointer
 * @returns {Pointing}
 */
export function pointing(map, { action, onTold, isHeld = () => false } = {}) {
  const popup = new Popup({ maxWidth: '22rem', className: 'told' });
  const passing = { closeButton: false, closeOnClick: false, focusAfterOpen: false };
  const hint = new Popup({ ...passing, className: 'map-hint' });
  const told = document.createElement('div');
  const { hover, forget } = hovering(map, hint);
  /** @type {Element | null} */
  let opener = null;
  const open = (/** @type {Found[]} */ found) => {
    const singles = found.filter(({ properties }) => !properties.cluster);
    hint.remove();
    popup.remove();
    const [first] = singles.length ? singles : found;
    if (!first) return;
    if (singles.length === 0) {
      map.easeTo({ center: first.at, zoom: map.getZoom() + 2 });
      return;
    }
    opener = document.activeElement;
    render(html`<${AboutSingles} singles=${singles} action=${action} />`, told);
    popup.setLngLat(first.at).setDOMContent(told).addTo(map);
    onTold?.(singles);
  };
  const close = (/** @type {KeyboardEvent} */ { key }) => {
    if (key !== 'Escape' || !popup.isOpen()) return;
    popup.remove();
    // Return the focus to the element that had it before the popup opened.
    (opener?.isConnected && opener instanceof HTMLElement ? opener : map.getCanvas()).focus();
  };
  popup.on('close', () => render(null, told));
  map.on('click', ({ point }) => isHeld() || open(foundAt(map, point)));
  map.on('mousemove', ({ point }) => isHeld() || hover(foundAt(map, point)[0]));
  map.on('mouseout', () => hover(undefined));
  document.addEventListener('keydown', close);
  const leave = () => {
    document.removeEventListener('keydown', close);
    render(null, told);
    forget();
  };
  return { open, close: () => popup.remove(), leave };
}

/**
 * Returns `hover`, which shows a hint for a cluster under the pointer, and `forget`, which unmounts the hint.
 * @param {import('maplibre-gl').Map} map
 * @param {Popup} hint
 */
function hovering(map, hint) {
  const content = document.createElement('div');
  const hover = (/** @type {Found | undefined} */ found) => {
    map.getCanvas().style.cursor = found ? 'pointer' : '';
    if (!found?.properties.cluster) return void hint.remove();
    render(html`<${AboutCluster} cluster=${found} />`, content);
    hint.setLngLat(found.at).setDOMContent(content);
    if (!hint.isOpen()) hint.addTo(map);
  };
  return { hover, forget: () => render(null, content) };
}
