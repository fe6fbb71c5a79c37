// The customer's own names and numbers, which a campaign or an event is echoed back with.

import { html } from 'htm/preact';
import { customerFields } from './customer.js';
import { TextField } from './text-field.js';

/** @typedef {import('./customer.js').CustomerDraft} CustomerDraft */

/**
 * Asks for the customer's identifiers. A campaign's customer has a whole number, an event's any text.
 * @param {{customer: CustomerDraft, onChange: (customer: CustomerDraft) => void,
 *   notes: import('./violations.js').Notes, isNumbered: boolean}} props
 */
export function CustomerFields({ customer, onChange, notes, isNumbered }) {
  return customerFields(isNumbered).map(({ name, label, hint }) => html`
    <${TextField} key=${name} label=${label} hint=${hint} pointer=${`/customer/${name}`} notes=${notes}
      value=${customer[name]} inputMode=${name === 'customer_id' && isNumbered ? 'numeric' : undefined}
      onChange=${(/** @type {string} */ text) => onChange({ ...customer, [name]: text })} />`);
}
