// Asks before somebody leaves a page on which they have typed something that is not saved.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { isLeaving } from '../session/session.js';
import { Dialog } from './dialog.js';

/** Whether something would be lost if the window closed. */
export const hasUnsaved = signal(false);

/** @typedef {() => void} Go what leaves the page */

/** Asks the form that is open, if anything in it would be lost. */
let holder = /** @type {((go: Go) => void) | null} */ (null);

/**
 * Leaves the page, once that was asked for where something would be lost.
 * @param {Go} go
 */
export function leave(go) {
  if (holder) holder(go);
  else go();
}

/**
 * Lets the browser ask before the window closes or loads anew.
 * @returns {() => void} ends it
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
 * Holds back links of the page, the palette and the back button, and lets the browser ask before the window
 * closes or loads anew.
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
      <p>What you typed here is not saved.</p>
      <div class="actions">
        <button onClick=${() => setGo(null)} autofocus>Stay</button>
        <button class="danger" onClick=${go.run}>Leave, and lose it</button>
      </div>
    <//>`;
}

/**
 * @param {(href: string) => void} hold is told where a link leads
 * @returns {() => void} ends it
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
 * Holds back the back button where browsers can: older ones tell of it when the page is gone.
 * @param {(go: Go) => void} hold
 * @returns {() => void} ends it
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
 * The address that a click leaves this page for; null when it stays, or opens another window.
 * @param {MouseEvent} event
 */
function linkOf(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isOwn = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isOwn || link.target || link.download || link.origin !== location.origin) return null;
  const isHere = link.pathname === location.pathname && link.search === location.search;
  return isHere ? null : link.pathname + link.search + link.hash;
}
