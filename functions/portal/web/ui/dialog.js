// Modal dialogs. They use the browser's `dialog` element, which traps the focus and restores it afterward.

import { html } from 'htm/preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './failure.js';

/** Selects the form controls with content that could be lost. Search words aren't included. */
const CONTROLS = 'form :is(input:not([role=combobox]), select, textarea)';

/**
 * Shows a dialog. If a form in the dialog has changed, Escape asks for confirmation before closing.
 * @param {{title: string, onClose: () => void, children?: any}} props
 */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  const untouched = useRef('');
  const typing = useRef(/** @type {Element | null} */ (null));
  const [isAsked, setIsAsked] = useState(false);
  // Open the dialog in a layout effect, so that no keypress reaches the page below.
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
  // If Escape is pressed twice in a row, browsers close a dialog without an event, so handle the key itself.
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
      <p>Your changes haven’t been saved.</p>
      <div class="actions">
        <button type="button" ref=${stay} onClick=${onStay}>Keep editing</button>
        <button type="button" class="danger" onClick=${onClose}>Discard changes</button>
      </div>
    </div>`;
}

/**
 * Returns the content of a dialog's forms as a string, to detect changes.
 * @param {HTMLDialogElement | null} dialog
 */
function typedIn(dialog) {
  const controls = dialog?.querySelectorAll(CONTROLS) ?? [];
  return JSON.stringify([...controls].map((/** @type {any} */ { type, checked, value }) =>
    (type === 'checkbox' || type === 'radio' ? checked : value)));
}

/**
 * Shows a dialog that asks for confirmation of an action.
 * @param {{title: string, name: string, action: string, run: () => Promise<unknown>, onClose: () => void,
 *   keep?: string, children?: any}} props `name` is the name of the affected item; `keep` is the text of
 *   the cancel button; if `run` fails, the dialog stays open and shows the error
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
