// Asks before somebody leaves a page on which they have typed something that is not saved.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { isLeaving } from '../session/session.js';
import { Dialog } from './dialog.js';

/** Whether something on the page is not saved. */
export const hasUnsaved = signal(false);

/**
 * Holds back links of the page, and lets the browser ask before the window closes or loads anew.
 * @param {{isChanged: boolean}} props
 */
export function Unsaved({ isChanged }) {
  const { route } = useLocation();
  const [target, setTarget] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (!isChanged) return;
    hasUnsaved.value = true;
    const ask = (/** @type {Event} */ event) => {
      if (!isLeaving.value) event.preventDefault();
    };
    const hold = (/** @type {MouseEvent} */ event) => {
      const href = linkOf(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(href);
    };
    addEventListener('beforeunload', ask);
    document.addEventListener('click', hold, true);
    return () => {
      hasUnsaved.value = false;
      removeEventListener('beforeunload', ask);
      document.removeEventListener('click', hold, true);
    };
  }, [isChanged]);
  if (target === null) return null;
  return html`
    <${Dialog} title="Leave without saving?" onClose=${() => setTarget(null)}>
      <p>What you typed here is not saved.</p>
      <div class="actions">
        <button onClick=${() => setTarget(null)} autofocus>Stay</button>
        <button class="danger" onClick=${() => route(target)}>Leave, and lose it</button>
      </div>
    <//>`;
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
