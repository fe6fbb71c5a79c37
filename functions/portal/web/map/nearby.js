// Buttons for the features near the center of a map, for people who use a keyboard or a screen reader.

import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { foundNearCenter, nameOf } from './found-features.js';

/** @typedef {import('./found-features.js').Found} Found */

/** The maximum number of listed features. */
const LISTED = 8;

/**
 * Lists the features nearest to the center of a map.
 * @param {{map: import('maplibre-gl').Map, open: (found: Found[]) => void}} props
 *   `open` shows features as if the person had clicked on them
 */
export function Nearby({ map, open }) {
  const [found, setFound] = useState(/** @type {Found[]} */ ([]));
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  const focused = useRef(-1);
  useEffect(() => {
    const look = () => {
      const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
      focused.current = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      setFound(foundNearCenter(map, LISTED));
    };
    map.on('idle', look);
    look();
    return () => map.off('idle', look);
  }, [map]);
  useEffect(() => {
    // Keep the focus in the list after a cluster is opened by keyboard.
    if (focused.current < 0) return;
    const buttons = list.current?.querySelectorAll('button') ?? [];
    if ([...buttons].some((button) => button === document.activeElement)) return;
    buttons[Math.min(focused.current, buttons.length - 1)]?.focus({ preventScroll: true });
  }, [found]);
  if (found.length === 0) return html`<p>Nothing near the center of the map.</p>`;
  return html`
    <ol class="nearby" ref=${list}>
      ${found.map((one) => html`
        <li key=${one.key}>
          <button class=${one.kind} onClick=${() => open([one])}>${nameOf(one)}</button>
        </li>`)}
    </ol>`;
}
