// The command palette: every page by a few letters of its name.

import { html } from 'htm/preact';
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { pageUrl } from '../configuration.js';
import { PAGES } from '../routes.js';
import { signOut } from '../session/session.js';
import { Dialog } from '../ui/dialog.js';
import { toggleTheme } from './theme.js';

/** @typedef {{name: string, hint?: string, url?: string, run?: () => void}} Command */

const isOpen = signal(false);

/** What the palette finds besides pages: assets and actions of the page that is open. */
export const commands = signal(/** @type {Command[]} */ ([]));

/** Opens the palette. */
export function openPalette() {
  isOpen.value = true;
}

/** Shows the palette when it is open; Ctrl+K and ⌘K open it. */
export function Palette() {
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      isOpen.value = !isOpen.value;
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return isOpen.value ? html`<${Open} />` : null;
}

function Open() {
  const { route } = useLocation();
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const found = matching(words);
  const run = (/** @type {Command | undefined} */ command) => {
    isOpen.value = false;
    if (command?.url) route(command.url);
    command?.run?.();
  };
  const move = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setAt((at + step + found.length) % Math.max(1, found.length));
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(found[at]);
  };
  return html`
    <${Dialog} title="Go to" onClose=${() => { isOpen.value = false; }}>
      <form onSubmit=${submit} onKeyDown=${move}>
        <input type="search" role="combobox" aria-label="Page, asset or action" aria-expanded="true"
          aria-controls="found" aria-activedescendant=${found[at] ? `found-${at}` : undefined} autofocus
          value=${words} onInput=${(/** @type {any} */ event) => { setWords(event.target.value); setAt(0); }} />
        <ul id="found" role="listbox" aria-label="Found" class="found">
          ${found.map((command, n) => html`
            <li id=${`found-${n}`} role="option" aria-selected=${n === at} onClick=${() => run(command)}>
              ${command.name} <small>${command.hint}</small>
            </li>`)}
        </ul>
      </form>
    <//>`;
}

/**
 * @param {string} words
 * @returns {Command[]}
 */
function matching(words) {
  const pages = PAGES.filter(({ path }) => !path.includes(':') && path !== 'signed-out' && path !== 'invitation')
    .map(({ path, title }) => ({ name: title, hint: 'page', url: pageUrl(path) }));
  const actions = [
    { name: 'Switch light and dark', hint: 'action', run: toggleTheme },
    { name: 'Sign out', hint: 'action', run: signOut },
  ];
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (/** @type {Command} */ { name }) => wanted.every((word) => name.toLowerCase().includes(word));
  return [...pages, ...commands.value, ...actions].filter(fits).slice(0, 12);
}
