// Forms: what is wrong stands at its field before anything is sent, and so does what the service refuses.

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/errors.js';
import { sentence } from './format.js';

/**
 * @typedef {object} Form
 * @property {import('preact').RefObject<HTMLFormElement | null>} ref of the form's element
 * @property {(event: Event) => void} onSubmit
 * @property {boolean} isBusy
 * @property {(pointer: string) => string | null} at what is wrong with a field, by its JSON pointer
 * @property {() => void} restart forgets that the form was sent, for the next thing to fill in
 * @property {Error | null} error what to show above the button: a refusal that no field shows
 */

/**
 * Checks and sends a form; the first field that is wrong gets the focus.
 * @param {Record<string, string | null>} wrong what is wrong with each field now, by its JSON pointer
 * @param {() => Promise<unknown>} send
 * @returns {Form}
 */
export function useForm(wrong, send) {
  const ref = useRef(/** @type {HTMLFormElement | null} */ (null));
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState(/** @type {Error | null} */ (null));
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const first = ref.current?.querySelector('[aria-invalid]');
    if (turn && first instanceof HTMLElement) first.focus();
  }, [turn]);
  const fields = Object.keys(wrong);
  const violations = refusal instanceof ApiError ? refusal.violations : [];
  const at = (/** @type {string} */ pointer) =>
    (isTried && wrong[pointer]) || violationOf(violations, pointer);
  const onSubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isBusy) return;
    setIsTried(true);
    setRefusal(null);
    if (fields.some((field) => wrong[field])) return setTurn(turn + 1);
    setIsBusy(true);
    await send().catch((failed) => {
      setRefusal(failed);
      setTurn(turn + 1);
    });
    setIsBusy(false);
  };
  const areAllAtFields = violations.length > 0
    && violations.every(({ pointer }) => fields.some(holds(pointer)));
  const restart = () => setIsTried(false);
  return { ref, onSubmit, isBusy, at, restart, error: areAllAtFields ? null : refusal };
}

/**
 * @param {import('../api/errors.js').Violation[]} violations
 * @param {string} field
 */
function violationOf(violations, field) {
  const found = violations.find(({ pointer }) => holds(pointer)(field));
  return found ? sentence(found.detail) : null;
}

/** @param {string} pointer */
function holds(pointer) {
  return (/** @type {string} */ field) => pointer === field || pointer.startsWith(`${field}/`);
}
