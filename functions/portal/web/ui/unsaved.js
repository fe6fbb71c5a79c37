// Asks for confirmation before a person leaves a page with unsaved changes.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { isLeaving } from '../session/session.js';
import { Dialog } from './dialog.js';

/** Whether closing the window would lose changes. */
export const hasUnsaved = signal(false);

/** @typedef {() => void} Go a function that leaves the page */

/** Asks for confirmation before calling its argument; null if no form has unsaved changes. */
let holder = /** @type {((go: Go) => void) | null} */ (null);

/**
 * Leaves the page. If changes would be lost, asks for confirmation first.
 * @param {Go} go
 */
export function leave(go) {
  if (holder) holder(go);
  else go();
}

/**
 * Makes the browser ask for confirmation before the window is closed or reloaded.
 * @returns {() => void} a function that stops asking
 */
export function askBeforeClosing() {
  const ask = (/** @type {Event} */ event) => {
    if (!isLeaving.value) event.preventDefault();
  };
  hasUnsaved.value = true;
  addEventListener('beforeunload', ask);
  return () => {
    hasUnsaved.value = false;
    removeEventListener('beforeunload', ask);
  };
}

/**
 * Asks for confirmation before changes are lost through a link, the palette, the back button, or a reload.
 * @param {{isChanged: boolean}} props
 */
export function Unsaved({ isChanged }) {
  const { route } = useLocation();
  const [go, setGo] = useState(/** @type {{run: Go} | null} */ (null));
  useEffect(() => {
    if (!isChanged) return;
    const hold = (/** @type {Go} */ run) => setGo({ run });
    holder = hold;
    const ends = [askBeforeClosing(), holdLinks((href) => hold(() => route(href))), holdHistory(hold)];
    return () => {
      if (holder === hold) holder = null;
      ends.forEach((end) => end());
    };
  }, [isChanged]);
  if (go === null) return null;
  return html`
    <${Dialog} title="Leave without saving?" onClose=${() => setGo(null)}>
      <p>Your changes haven’t been saved.</p>
      <div class="actions">
        <button onClick=${() => setGo(null)} autofocus>Stay</button>
        <button class="danger" onClick=${go.run}>Leave</button>
      </div>
    <//>`;
}

/**
 * Intercepts clicks on links to other pages of the portal.
 * @param {(href: string) => void} hold is called with the address of the link
 * @returns {() => void} a function that stops listening
 */
function holdLinks(hold) {
  const listen = (/** @type {MouseEvent} */ event) => {
    const href = linkOf(event);
    if (href === null) return;
    event.preventDefault();
    event.stopPropagation();
    hold(href);
  };
  document.addEventListener('click', listen, true);
  return () => document.removeEventListener('click', listen, true);
}

/**
 * Intercepts the back and forward buttons in browsers with the Navigation API.
 * @param {(go: Go) => void} hold is called with a function that continues the navigation
 * @returns {() => void} a function that stops listening
 */
function holdHistory(hold) {
  const { navigation } = /** @type {any} */ (window);
  if (!navigation) return () => {};
  let isLeaving = false;
  const listen = (/** @type {any} */ event) => {
    const { navigationType: type, destination, cancelable } = event;
    const isAway = destination.sameDocument && new URL(destination.url).pathname !== location.pathname;
    if (isLeaving || type !== 'traverse' || !cancelable || !isAway) return;
    event.preventDefault();
    hold(() => {
      isLeaving = true;
      navigation.traverseTo(destination.key);
    });
  };
  navigation.addEventListener('navigate', listen);
  return () => navigation.removeEventListener('navigate', listen);
}

/**
 * Returns the address of a clicked link to another page of the portal; null for all other clicks.
 * @param {MouseEvent} event
 */
function linkOf(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isOwn = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isOwn || link.target || link.download || link.origin !== location.origin) return null;
  const isHere = link.pathname === location.pathname && link.search === location.search;
  return isHere ? null : link.pathname + link.search + link.hash;
}
