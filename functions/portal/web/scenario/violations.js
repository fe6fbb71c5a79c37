// What is wrong with a form, at the fields that it is about: the form's own checks, the service's violations
// of a 400, and the warnings of what was saved, by JSON pointer.

import { html } from 'htm/preact';
import { ApiError } from '../api/errors.js';
import { Failure } from '../ui/failure.js';
import { count, sentence } from '../ui/format.js';

/** @typedef {import('../api/errors.js').Violation} Violation */

/**
 * What stands at the fields of a form, and what has no field.
 * @typedef {object} Notes
 * @property {(pointer: string) => string | null} errorAt what is wrong at a field, as text to show
 * @property {(pointer: string) => string | null} warningAt what was saved there and is not in the release
 * @property {Violation[]} unplaced errors that no field of the form has
 * @property {Violation[]} unplacedWarnings
 * @property {number} errors how many there are, with and without a field
 */

/**
 * Puts each error and warning to the one field that it belongs to: that with the longest pointer which it
 * begins with.
 * @param {string[]} fields the form's pointers; `*` stands for any position in an array
 * @param {{faults?: Violation[], error?: Error | null, warnings?: Violation[]}} found `faults` are the form's
 *   own checks
 * @returns {Notes}
 */
export function notesOf(fields, { faults = [], error = null, warnings = [] }) {
  const refused = error instanceof ApiError ? error.violations : [];
  const errors = [...faults, ...refused];
  const [placedErrors, unplaced] = placed(fields, errors);
  const [placedWarnings, unplacedWarnings] = placed(fields, warnings);
  return {
    errorAt: (pointer) => placedErrors.get(pointer)?.join(' ') ?? null,
    warningAt: (pointer) => placedWarnings.get(pointer)?.join(' ') ?? null,
    unplaced,
    unplacedWarnings,
    errors: errors.length,
  };
}

/**
 * Says above the button what is wrong: how many fields, what has no field, and any other failure of the call.
 * @param {{notes: Notes, error?: Error | null, retry?: () => void}} props
 */
export function FormErrors({ notes, error = null, retry }) {
  const isOther = error !== null && !(error instanceof ApiError && error.violations.length > 0);
  const atFields = notes.errors - notes.unplaced.length;
  return html`
    ${isOther && html`<${Failure} error=${error} retry=${retry} />`}
    ${notes.errors > 0 && html`
      <div class="failure" role="alert">
        ${atFields > 0 && html`<p>${count(atFields, 'thing')} above ${atFields === 1 ? 'has' : 'have'} to be
          changed before this can be saved.</p>`}
        ${notes.unplaced.length > 0 && html`<ul>${notes.unplaced.map(({ pointer, detail }) => html`
          <li>${sentence(detail)} ${pointer && html`<code>${pointer}</code>`}</li>`)}</ul>`}
      </div>`}
    ${notes.unplacedWarnings.length > 0 && html`
      <ul class="warnings" role="status">${notes.unplacedWarnings.map(({ pointer, detail }) => html`
        <li class="warning">${sentence(detail)} <code>${pointer}</code></li>`)}</ul>`}`;
}

/**
 * Moves the keyboard to the first field that is wrong, so that its error is read. Buttons that are wrong,
 * such as one that adds the first of a list, bear `data-wrong`.
 * @param {HTMLElement | null} form
 */
export function focusFirstWrong(form) {
  // The fields get their errors with the next drawing.
  requestAnimationFrame(() => {
    const wrong = form?.querySelector('[aria-invalid="true"], [data-wrong]');
    if (wrong instanceof HTMLElement) wrong.focus();
  });
}

/**
 * @param {string[]} fields
 * @param {Violation[]} found
 * @returns {[Map<string, string[]>, Violation[]]} texts by the field's own pointer, and the rest
 */
function placed(fields, found) {
  const byField = new Map();
  const rest = [];
  for (const violation of found) {
    const depth = Math.max(...fields.map((field) => depthOf(field, violation.pointer)), 0);
    if (depth === 0) {
      rest.push(violation);
      continue;
    }
    const parts = violation.pointer.split('/');
    const at = parts.slice(0, depth).join('/');
    byField.set(at, [...(byField.get(at) ?? []), text(violation.detail, parts.slice(depth))]);
  }
  return [byField, rest];
}

/**
 * How many parts of a pointer a field covers; 0 when it is another field's.
 * @param {string} field
 * @param {string} pointer
 */
function depthOf(field, pointer) {
  const own = field.split('/');
  const parts = pointer.split('/');
  if (own.length > parts.length) return 0;
  return own.every((part, n) => part === '*' || part === parts[n]) ? own.length : 0;
}

/**
 * @param {string} detail
 * @param {string[]} below where in the field it is, when that is in a list
 */
function text(detail, below) {
  const position = below.findIndex((part) => /^\d+$/.test(part));
  if (position === -1) return sentence(detail);
  return `${Number(below[position]) + 1}: ${sentence(detail)}`;
}
