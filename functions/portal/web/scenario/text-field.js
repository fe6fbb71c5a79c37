// A text field for a member of a request body.

import { html } from 'htm/preact';
import { Field } from '../ui/field.js';

/** @typedef {import('./violations.js').Notes} Notes */

/**
 * Shows a text field, with the errors and warnings for its JSON pointer.
 * @param {{label: string, hint?: string, pointer: string, notes: Notes, value: string, type?: string,
 *   isRequired?: boolean, inputMode?: string, onChange: (text: string) => void, list?: string, min?: string,
 *   max?: string}} props
 */
export function TextField({ label, hint, isRequired, pointer, notes, value, type = 'text', ...rest }) {
  const { onChange, ...attributes } = rest;
  return html`
    <${Field} label=${label} hint=${hint} error=${notes.errorAt(pointer)} warning=${notes.warningAt(pointer)}
      isRequired=${isRequired}>
      <input ...${attributes} type=${type} value=${value}
        onInput=${(/** @type {any} */ event) => onChange(event.target.value)} />
    <//>`;
}
