// The customer's own names and numbers, which a campaign or an event is echoed back with.

import { html } from 'htm/preact';
import { TextField } from './text-field.js';

/**
 * @typedef {object} CustomerDraft
 * @property {string} customer_id
 * @property {string} customer_name
 * @property {string} customer_scenario_id
 * @property {string} customer_scenario_name
 * @property {string} customer_scenario_info
 */

/** @typedef {import('./violations.js').Notes} Notes */

/** @type {[keyof CustomerDraft, string, string?][]} */
const FIELDS = [
  ['customer_id', 'Customer number'],
  ['customer_name', 'Customer'],
  ['customer_scenario_id', 'Your own id', 'Find it again by this in the library.'],
  ['customer_scenario_name', 'Your own name'],
  ['customer_scenario_info', 'Notes'],
];

/**
 * Asks for the customer's identifiers. A campaign's customer has a whole number, an event's any text.
 * @param {{customer: CustomerDraft, onChange: (customer: CustomerDraft) => void, notes: Notes,
 *   isNumbered: boolean}} props
 */
export function CustomerFields({ customer, onChange, notes, isNumbered }) {
  return FIELDS.map(([name, label, hint]) => html`
    <${TextField} key=${name} pointer=${`/customer/${name}`} notes=${notes} value=${customer[name]}
      hint=${hint}
      label=${name === 'customer_id' && !isNumbered ? 'Customer id' : label}
      inputMode=${name === 'customer_id' && isNumbered ? 'numeric' : undefined}
      onChange=${(/** @type {string} */ text) => onChange({ ...customer, [name]: text })} />`);
}
