// A virtual list of displays. Only the visible rows and a few rows around them are rendered, but all rows can
// be reached by keyboard. The list shares its selection with the map.

import { html } from 'htm/preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { number } from '../../ui/format.js';
import { detailsOf, titleOf } from './display.js';
import { choose, chosen, selected, toggle } from './plan.js';

/** @typedef {import('./display.js').Display} Display */

/** The height of a row in pixels. The style sheet sets the same height. */
const ROW = 64;
/** The number of rows to render above the visible rows, and also below them. */
const BEYOND = 6;
/** The number of visible rows to assume before the list has been measured. */
const FIRST = 8;

/**
 * Shows displays in a list. Clicking a row's checkbox or pressing the space bar adds the display to the plan
 * or removes it. With the Shift key, clicks and arrow keys add all displays up to the new row. Ctrl+A adds
 * all displays.
 * @param {{label: string, displays: Display[], noteAt?: (id: number) => string | null,
 *   indexes?: ReadonlyMap<number, number>}} props `noteAt` returns the error message of a display, or null;
 *   `indexes` contains the displays' indexes for a cohort
 */
export function DisplayList({ label, displays, noteAt, indexes }) {
  const id = useId();
  const list = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [top, setTop] = useState(0);
  const [at, setAt] = useState(0);
  const select = (/** @type {number} */ n, isRange = false) => {
    const next = Math.max(0, Math.min(n, displays.length - 1));
    if (isRange) choose(displays.slice(Math.min(at, next), Math.max(at, next) + 1));
    setAt(next);
    show(list.current, next);
    selected.value = displays[next] ?? null;
  };
  useEffect(() => {
    const n = displays.findIndex((display) => display.id === selected.value?.id);
    if (n < 0) return;
    setAt(n);
    show(list.current, n);
  }, [selected.value]);
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const next = moved(event.key, at, displays.length);
    const display = displays[at];
    if (next !== null) select(next, event.shiftKey);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) choose(displays);
    else if (event.key === ' ' && display) toggle(display);
    else return;
    event.preventDefault();
  };
  const { first, shown } = inSight(displays, top, list.current?.clientHeight ?? FIRST * ROW);
  const active = Math.min(at, displays.length - 1);
  const isDrawn = active >= first && active < first + shown.length;
  return html`
    <div class="display-list" role="listbox" aria-label=${label} aria-multiselectable="true" tabindex="0"
      ref=${list} aria-activedescendant=${isDrawn ? `${id}-${active}` : undefined}
      style=${{ '--rows': displays.length }} onKeyDown=${keys}
      onScroll=${(/** @type {any} */ event) => setTop(event.target.scrollTop)}>
      <div role="presentation" class="all">
        ${shown.map((display, n) => html`
          <${Row} key=${display.id} id=${`${id}-${first + n}`} display=${display} position=${first + n}
            of=${displays.length} isActive=${first + n === active} isChosen=${chosen.value.has(display.id)}
            note=${noteAt?.(display.id) ?? null} index=${indexes?.get(display.id)} select=${select} />`)}
      </div>
    </div>`;
}

/**
 * Returns the displays to render and the position of the first of them in the list.
 * @param {Display[]} displays
 * @param {number} top the scroll position in pixels
 * @param {number} height the visible height in pixels
 */
function inSight(displays, top, height) {
  const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
  return { first, shown: displays.slice(first, first + Math.ceil(height / ROW) + 2 * BEYOND) };
}

/**
 * @param {{id: string, display: Display, position: number, of: number, isActive: boolean, isChosen: boolean,
 *   note: string | null, index?: number, select: (position: number, isRange: boolean) => void}} props
 */
function Row({ id, display, position, of, isActive, isChosen, note, index, select }) {
  const details = detailsOf(display);
  const click = (/** @type {any} */ event) => {
    select(position, event.shiftKey);
    if (!event.shiftKey && event.target.closest('.tick')) toggle(display);
  };
  return html`
    <div role="option" id=${id} aria-selected=${isChosen} aria-setsize=${of} aria-posinset=${position + 1}
      class=${isActive ? 'active' : ''} style=${{ '--row': position }} title=${details.join(' · ')}
      onClick=${click}>
      <span class="tick" aria-hidden="true">${isChosen ? '✓' : ''}</span>
      ${index !== undefined && html`
        <span class="index"><small>Index</small> ${number(index)} <small>modelled</small></span>`}
      <span class="name">${titleOf(display)}</span>
      ${note && html`<span class="error">${note}</span>`}
      ${!note && details.map((line) => html`<span class="details">${line}</span>`)}
    </div>`;
}

/**
 * @param {string} key
 * @param {number} at
 * @param {number} length
 * @returns {number | null} the position that the key selects, possibly out of range; null for other keys
 */
function moved(key, at, length) {
  if (key === 'ArrowDown') return at + 1;
  if (key === 'ArrowUp') return at - 1;
  if (key === 'PageDown') return at + 10;
  if (key === 'PageUp') return at - 10;
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : null;
}

/**
 * Scrolls the list just far enough to show a row, which doesn't have to be rendered yet.
 * @param {HTMLElement | null} list
 * @param {number} position
 */
function show(list, position) {
  if (!list) return;
  const top = position * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
}
