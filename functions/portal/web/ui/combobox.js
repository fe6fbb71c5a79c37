// A text field that filters a list. It works with the mouse, the keyboard, and screen readers.

import { html } from 'htm/preact';
import { useId, useRef, useState } from 'preact/hooks';

/** @typedef {{id: string, name: string, hint?: string}} Choice */

/** The maximum number of choices shown. Typing more words narrows the list. */
const MOST = 50;

/**
 * Shows a text field and the choices that match it. An enclosing `Field` sets the ID and the ARIA attributes.
 * @param {{words: string, onWords: (words: string) => void, choices: Choice[], onChoose: (choice: Choice) =>
 *   void, onOpen?: () => void, onEnter?: () => void, placeholder?: string, none?: any, more?: any, id?:
 *   string, 'aria-label'?: string, 'aria-invalid'?: string, 'aria-describedby'?: string}} props
 *   `choices` contains the choices that match `words`; the Enter key selects the active or only choice, and
 *   otherwise calls `onEnter`; `none` is shown if there are no choices; `more` is shown below the choices
 */
export function Combobox({ words, onWords, choices, onChoose, onOpen, onEnter, none, more, ...rest }) {
  const [isOpen, setIsOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const list = useId();
  const whole = useRef(/** @type {HTMLDivElement | null} */ (null));
  const shown = choices.slice(0, MOST);
  const open = () => {
    if (!isOpen) onOpen?.();
    setIsOpen(true);
  };
  const write = (/** @type {string} */ text) => {
    setAt(-1);
    onWords(text);
  };
  const choose = (/** @type {Choice} */ choice) => {
    onChoose(choice);
    write('');
    // A list that stays open would cover the next field.
    setIsOpen(false);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const active = shown[at] ?? (words !== '' && shown.length === 1 ? shown[0] : undefined);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' && isOpen) setIsOpen(false);
    else if (event.key === 'Enter' && isOpen && active) choose(active);
    else if (event.key === 'Enter' && words !== '') onEnter?.();
    else if (step !== undefined) {
      open();
      setAt(shown.length === 0 ? -1 : (at + step + shown.length) % shown.length);
    } else if (event.key !== 'Enter') return;
    event.preventDefault();
  };
  const leave = (/** @type {FocusEvent} */ event) => {
    if (!whole.current?.contains(/** @type {Node | null} */ (event.relatedTarget))) setIsOpen(false);
  };
  return html`
    <div class="combobox" ref=${whole} onFocusOut=${leave} onInput=${open}>
      <${Words} ...${rest} list=${list} isOpen=${isOpen} words=${words} onWords=${write} onOpen=${open}
        onPress=${press} at=${isOpen && shown[at] ? `${list}-${at}` : undefined} />
      <${Choices} list=${list} isOpen=${isOpen} shown=${shown} at=${at} choose=${choose} none=${none}
        more=${more} hidden=${choices.length - shown.length} />
    </div>`;
}

/** @param {Record<string, any>} props `field` contains the props that a `Field` sets on its control */
function Words({ list, isOpen, at, words, onWords, onOpen, onPress, ...field }) {
  return html`
    <input ...${field} type="text" role="combobox" autocomplete="off" spellcheck=${false}
      aria-expanded=${isOpen} aria-controls=${list} aria-autocomplete="list" aria-activedescendant=${at}
      value=${words} onFocus=${onOpen} onClick=${onOpen} onKeyDown=${onPress}
      onInput=${(/** @type {any} */ event) => onWords(event.target.value)} />`;
}

/**
 * @param {{list: string, isOpen: boolean, shown: Choice[], at: number, choose: (choice: Choice) => void,
 *   none: any, more: any, hidden: number}} props
 */
function Choices({ list, isOpen, shown, at, choose, none, more, hidden }) {
  return html`
    <div class="floating" hidden=${!isOpen}>
      <ul id=${list} role="listbox" aria-label="Choices">
        ${shown.map((choice, n) => html`
          <${Option} key=${choice.id} id=${`${list}-${n}`} choice=${choice} isAt=${n === at}
            choose=${choose} />`)}
      </ul>
      ${shown.length === 0 && none}
      ${hidden > 0 && html`<p><small>${hidden} more. Type more words to narrow the list.</small></p>`}
      ${more}
    </div>`;
}

/** @param {{id: string, choice: Choice, isAt: boolean, choose: (choice: Choice) => void}} props */
function Option({ id, choice, isAt, choose }) {
  const seen = (/** @type {HTMLElement | null} */ element) => {
    if (isAt) element?.scrollIntoView({ block: 'nearest' });
  };
  // Keep the focus in the text field when the person clicks a choice.
  const stay = (/** @type {Event} */ event) => event.preventDefault();
  return html`
    <li id=${id} ref=${seen} role="option" aria-selected=${isAt} onMouseDown=${stay}
      onClick=${() => choose(choice)}>
      ${choice.name} ${choice.hint && html`<small>${choice.hint}</small>`}
    </li>`;
}

/**
 * Shows the chosen items, each with a button that removes it.
 * @param {{label: string, chosen: Choice[], onRemove: (id: string) => void}} props
 */
export function Chosen({ label, chosen, onRemove }) {
  if (chosen.length === 0) return null;
  return html`
    <ul class="chosen" aria-label=${label}>
      ${chosen.map(({ id, name, hint }) => html`
        <li key=${id}>
          <span>${name} ${hint && html`<small>${hint}</small>`}</span>
          <button type="button" class="quiet" aria-label=${`Remove ${name}`}
            onClick=${() => onRemove(id)}>×</button>
        </li>`)}
    </ul>`;
}
