// The command palette, which finds pages, documents, actions, and saved campaigns by keyboard.

import { html } from 'htm/preact';
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { pageUrl } from '../addresses.js';
import { organization } from '../api/account.js';
import { costOf } from '../api/limits.js';
import { commands } from '../ui/commands.js';
import { Dialog } from '../ui/dialog.js';
import { count } from '../ui/format.js';
import { leave } from '../ui/unsaved.js';
import { ownCommands } from './own-commands.js';
import { ranked } from './ranking.js';
import { useSavedCampaigns } from './saved-campaigns.js';

/** @typedef {import('../ui/commands.js').Command} Command */

/** The maximum number of results. Typing another letter is faster than scrolling through more results. */
const MOST = 12;

const isOpen = signal(false);

/** Opens the palette. */
export function openPalette() {
  isOpen.value = true;
}

/** Shows the palette when it's open; Ctrl+K and ⌘K toggle it. */
export function Palette() {
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
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
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  useSavedCampaigns(typed);
  const all = [...ownCommands(), ...commands.value];
  const found = useMemo(() => ranked(all, typed, MOST), [typed, commands.value]);
  const run = (/** @type {Command | undefined} */ command) => {
    if (!command) return;
    isOpen.value = false;
    const { url } = command;
    if (url) leave(() => route(url));
    command.run?.();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(found[at]);
  };
  const move = (/** @type {KeyboardEvent} */ event) => {
    const next = nextOf(event.key, at, found.length);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
  };
  const type = (/** @type {any} */ event) => {
    setTyped(event.target.value);
    setAt(0);
  };
  return html`
    <${Dialog} title="Go to" onClose=${() => { isOpen.value = false; }}>
      <form class="palette" onSubmit=${submit} onKeyDown=${move}>
        <input type="text" role="combobox" aria-label="Page, asset, or action" aria-expanded="true" autofocus
          aria-autocomplete="list" aria-controls="found" placeholder="Page, asset, or action"
          autocomplete="off" spellcheck="false" value=${typed} onInput=${type}
          aria-activedescendant=${found[at] ? `found-${at}` : undefined} />
        <${Found} found=${found} at=${at} onChoose=${run} />
        <${Outcome} length=${found.length} typed=${typed.trim()} />
      </form>
    <//>`;
}

/** @param {{found: Command[], at: number, onChoose: (command: Command) => void}} props */
function Found({ found, at, onChoose }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at, found]);
  return html`
    <ul ref=${list} id="found" role="listbox" aria-label="Results" class="found">
      ${found.map((command, n) => html`
        <li id=${`found-${n}`} role="option" aria-selected=${n === at} onClick=${() => onChoose(command)}>
          <span>${command.name}</span> <small>${command.hint}</small>
        </li>`)}
    </ul>`;
}

/** @param {{length: number, typed: string}} props the number of results, and the typed words */
function Outcome({ length, typed }) {
  const campaigns = `${pageUrl('campaigns')}?name=${encodeURIComponent(typed)}`;
  return html`
    <p class="hidden" role="status">${count(length, 'result')}</p>
    ${length === 0 && html`
      <p>No matches. Try a page, an action, or part of a name.</p>
      ${organization.value && html`
        <p><a href=${campaigns} onClick=${() => { isOpen.value = false; }}>
          Find campaigns whose names start with “${typed}” · ${costOf('list_campaigns', 'summarize_campaigns')}
        </a></p>`}`}
    <p class="keys" aria-hidden="true">
      <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>↵</kbd> open · <kbd>Esc</kbd> close
    </p>`;
}

/**
 * Returns the position of the result that a key selects; null for other keys. Arrow keys wrap around.
 * @param {string} key
 * @param {number} at
 * @param {number} length
 */
function nextOf(key, at, length) {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 }[key];
  if (!step || length === 0) return null;
  if (Math.abs(step) > 1) return Math.min(length - 1, Math.max(0, at + step));
  return (at + step + length) % length;
}
