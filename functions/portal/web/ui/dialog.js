// Windows over the page: the browser's own dialog keeps the keyboard in them and gives it back.

import { html } from 'htm/preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './failure.js';

/** What is filled in of forms; words that something is found by are no loss. */
const CONTROLS = 'form :is(input:not([role=combobox]), select, textarea)';

/**
 * Shows a window over the page until it is closed; Escape asks first when it has a form that was filled in.
 * @param {{title: string, onClose: () => void, children?: any}} props
 */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  const untouched = useRef('');
  const typing = useRef(/** @type {Element | null} */ (null));
  const [isAsked, setIsAsked] = useState(false);
  // At once, so that no key that is pressed meanwhile goes to the page below.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    untouched.current = typedIn(opened);
    return () => opened?.close();
  }, []);
  const stay = () => {
    setIsAsked(false);
    if (typing.current instanceof HTMLElement) typing.current.focus();
  };
  const close = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isAsked) return stay();
    if (typedIn(dialog.current) === untouched.current) return onClose();
    typing.current = document.activeElement;
    setIsAsked(true);
  };
  // The second Escape in a row would close the window without asking anybody: no key gets that far.
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close(event);
  };
  return html`
    <dialog ref=${dialog} aria-labelledby=${id} onCancel=${close} onKeyDown=${press}>
      <h2 id=${id}>${title}</h2>
      ${children}
      ${isAsked && html`<${Loss} onStay=${stay} onClose=${onClose} />`}
    </dialog>`;
}

/** @param {{onStay: () => void, onClose: () => void}} props */
function Loss({ onStay, onClose }) {
  const stay = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => stay.current?.focus(), []);
  return html`
    <div class="failure" role="alert">
      <p>What you typed here was not sent.</p>
      <div class="actions">
        <button type="button" ref=${stay} onClick=${onStay}>Go on typing</button>
        <button type="button" class="danger" onClick=${onClose}>Close, and lose it</button>
      </div>
    </div>`;
}

/**
 * What the forms of a window have in them, to tell whether that has changed.
 * @param {HTMLDialogElement | null} dialog
 */
function typedIn(dialog) {
  const controls = dialog?.querySelectorAll(CONTROLS) ?? [];
  return JSON.stringify([...controls].map((/** @type {any} */ { type, checked, value }) =>
    (type === 'checkbox' || type === 'radio' ? checked : value)));
}

/**
 * Asks a second time before something that cannot be taken back, with the thing's name.
 * @param {{title: string, name: string, action: string, run: () => Promise<unknown>, onClose: () => void,
 *   keep?: string, children?: any}} props `run` does it; the window stays open, and says why, when that
 *   fails; `keep` is the button that leaves all as it is
 */
export function Question({ title, name, action, run, onClose, keep = 'Keep it', children }) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const confirm = async () => {
    setIsBusy(true);
    try {
      await run();
      onClose();
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
      setIsBusy(false);
    }
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <p><strong>${name}</strong></p>
      ${children}
      <${Failure} error=${error} />
      <div class="actions">
        <button onClick=${onClose} autofocus>${keep}</button>
        <button class="danger" disabled=${isBusy} onClick=${confirm}>${action}</button>
      </div>
    <//>`;
}
