// Fields for the advertiser and the external ID of a campaign or an event.

import { html } from 'htm/preact';
import { CUSTOMER_FIELDS } from './customer.js';
import { TextField } from './text-field.js';

/** @typedef {import('./customer.js').CustomerDraft} CustomerDraft */

/**
 * Shows fields for the advertiser and the external ID. A campaign's advertiser ID must be a whole number.
 * @param {{customer: CustomerDraft, onChange: (customer: CustomerDraft) => void,
 *   notes: import('./violations.js').Notes, isNumbered: boolean}} props `isNumbered` is true for a campaign
 */
export function CustomerFields({ customer, onChange, notes, isNumbered }) {
  return CUSTOMER_FIELDS.map(({ name, label, hint, isRequired }) => {
    const isNumber = name === 'customer_id' && isNumbered;
    return html`
      <${TextField} key=${name} label=${label} notes=${notes}
        hint=${isNumber ? 'Your own number for the advertiser, such as 7.' : hint} isRequired=${isRequired}
        pointer=${`/customer/${name}`} value=${customer[name]} inputMode=${isNumber ? 'numeric' : undefined}
        onChange=${(/** @type {string} */ text) => onChange({ ...customer, [name]: text })} />`;
  });
}
