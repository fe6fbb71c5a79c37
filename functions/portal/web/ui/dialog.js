// Windows over the page: the browser's own dialog keeps the keyboard in them and gives it back.

import { html } from 'htm/preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './failure.js';

/**
 * Shows a window over the page until it is closed.
 * @param {{title: string, onClose: () => void, children?: any}} props
 */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  // At once, so that no key that is pressed meanwhile goes to the page below.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  const close = (/** @type {Event} */ event) => {
    event.preventDefault();
    onClose();
  };
  return html`
    <dialog ref=${dialog} aria-labelledby=${id} onCancel=${close}>
      <h2 id=${id}>${title}</h2>
      ${children}
    </dialog>`;
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
