// The errors and warnings for a form's fields, by JSON pointer. They come from the form's own checks, the
// violations in a 400 response, and the warnings of a save.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { warningCopy } from '../api/error-copy.js';
import { ApiError } from '../api/errors.js';
import { Details, Failure } from '../ui/failure.js';
import { count, sentence } from '../ui/format.js';

/** @typedef {import('../api/errors.js').Violation} Violation */

/**
 * The errors and warnings of a form.
 * @typedef {object} Notes
 * @property {(pointer: string) => string | null} errorAt returns the error at a field
 * @property {(pointer: string) => string | null} warningAt returns the warning at a field
 * @property {Violation[]} unplaced errors without a field
 * @property {Violation[]} unplacedWarnings warnings without a field
 * @property {number} errors the number of errors, with and without a field
 */

/**
 * Assigns each error and warning to the field with the longest matching pointer.
 * @param {string[]} fields the form's pointers; `*` matches any array position
 * @param {{faults?: Violation[], error?: Error | null, warnings?: Violation[]}} found `faults` are the form's
 *   own checks
 * @returns {Notes}
 */
export function notesOf(fields, { faults = [], error = null, warnings = [] }) {
  const refused = error instanceof ApiError ? error.violations : [];
  const errors = [...faults, ...refused];
  const [placedErrors, unplaced] = placed(fields, errors);
  const warned = warnings.map(({ pointer }) => ({ pointer, detail: warningCopy(pointer) }));
  const [placedWarnings, unplacedWarnings] = placed(fields, warned);
  return {
    errorAt: (pointer) => placedErrors.get(pointer)?.join(' ') ?? null,
    warningAt: (pointer) => placedWarnings.get(pointer)?.join(' ') ?? null,
    unplaced,
    unplacedWarnings,
    errors: errors.length,
  };
}

/**
 * Shows the number of errors at fields, the number of errors without a field, other failures of the call, and
 * the warnings without a field.
 * @param {{notes: Notes, error?: Error | null, retry?: () => void}} props
 */
export function FormErrors({ notes, error = null, retry }) {
  const isOther = error !== null && !(error instanceof ApiError && error.violations.length > 0);
  const atFields = notes.errors - notes.unplaced.length;
  const failure = useRef(/** @type {HTMLDivElement | null} */ (null));
  // The form can be longer than the window. If fields have errors, the first of these fields is focused
  // instead.
  useEffect(() => failure.current?.scrollIntoView({ block: 'nearest' }), [error]);
  return html`
    ${isOther && html`<div ref=${failure}><${Failure} error=${error} retry=${retry} /></div>`}
    ${notes.errors > 0 && html`
      <div class="failure" role="alert">
        ${atFields > 0 && html`<p>Fix ${count(atFields, 'error')} above before saving.</p>`}
        ${notes.unplaced.length > 0 && html`<p>${count(notes.unplaced.length, 'other value')} ${
          notes.unplaced.length === 1 ? 'wasn’t' : 'weren’t'} accepted.</p>`}
        ${error instanceof ApiError && html`<${Details} ...${error} />`}
      </div>`}
    ${notes.unplacedWarnings.length > 0 && html`
      <ul class="warnings" role="status">${notes.unplacedWarnings.map(({ pointer, detail }) => html`
        <li class="warning">${detail} <code>${pointer}</code></li>`)}</ul>`}`;
}

/**
 * Focuses the first field with an error. Buttons with an error, such as the button that adds a list's first
 * item, have the attribute `data-wrong`.
 * @param {HTMLElement | null} form
 */
export function focusFirstWrong(form) {
  // The errors appear with the next render.
  requestAnimationFrame(() => {
    const wrong = form?.querySelector('[aria-invalid="true"], [data-wrong]');
    if (wrong instanceof HTMLElement) wrong.focus();
  });
}

/**
 * @param {string[]} fields
 * @param {Violation[]} found
 * @returns {[Map<string, string[]>, Violation[]]} the texts by the pointer of their field, and the
 *   violations without a field
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
 * Returns the number of the pointer's parts that a field matches; 0 if the field doesn't match.
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
 * @param {string[]} below the parts of the pointer after the field, such as a list position
 */
function text(detail, below) {
  const position = below.findIndex((part) => /^\d+$/.test(part));
  if (position === -1) return sentence(detail);
  return `${Number(below[position]) + 1}: ${sentence(detail)}`;
}
