// What lies around the middle of a map, as buttons: for those who use no pointer.

import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { foundNearMiddle, nameOf } from './found-features.js';

/** @typedef {import('./found-features.js').Found} Found */

/** How many the list holds. */
const LISTED = 8;

/**
 * Lists what is nearest to the middle of a map.
 * @param {{map: import('maplibre-gl').Map, open: (found: Found[]) => void}} props
 *   `open` does what a click on the map does
 */
export function Nearby({ map, open }) {
  const [found, setFound] = useState(/** @type {Found[]} */ ([]));
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  const focused = useRef(-1);
  useEffect(() => {
    const look = () => {
      const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
      focused.current = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      setFound(foundNearMiddle(map, LISTED));
    };
    map.on('idle', look);
    look();
    return () => map.off('idle', look);
  }, [map]);
  useEffect(() => {
    // Who goes down through the clusters with the keyboard stays in the list.
    if (focused.current < 0) return;
    const buttons = list.current?.querySelectorAll('button') ?? [];
    if ([...buttons].some((button) => button === document.activeElement)) return;
    buttons[Math.min(focused.current, buttons.length - 1)]?.focus({ preventScroll: true });
  }, [found]);
  if (found.length === 0) return html`<p>Nothing lies around the middle of the map.</p>`;
  return html`
    <ol class="nearby" ref=${list}>
      ${found.map((one) => html`
        <li key=${one.key}>
          <button class=${one.kind} onClick=${() => open([one])}>${nameOf(one)}</button>
        </li>`)}
    </ol>`;
}
