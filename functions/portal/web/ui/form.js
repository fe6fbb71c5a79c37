// Forms that show errors next to their fields: first those from their own checks, and then those in the API's
// response.

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/errors.js';
import { sentence } from './format.js';

/**
 * @typedef {object} Form
 * @property {import('preact').RefObject<HTMLFormElement | null>} ref the ref of the form element
 * @property {(event: Event) => void} onSubmit
 * @property {boolean} isBusy
 * @property {(pointer: string) => string | null} at returns the error of the field at a JSON pointer
 * @property {() => void} restart hides the form's own errors until the next submission
 * @property {Error | null} error the error of the call, to show above the button
 */

/**
 * Checks and sends a form when it's submitted. After an error, focuses the first invalid field.
 * @param {Record<string, string | null>} wrong each field's current error, or null, by JSON pointer
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
  return { ref, onSubmit, isBusy, at, restart: () => setIsTried(false), error: refusal };
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
