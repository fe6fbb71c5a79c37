// The advertiser and the external ID of a campaign or an event, as typed in a form.

/**
 * @typedef {object} CustomerDraft
 * @property {string} customer_id
 * @property {string} customer_name
 * @property {string} customer_scenario_id
 * @property {string} customer_scenario_name
 * @property {string} customer_scenario_info
 */

/**
 * @typedef {{name: keyof CustomerDraft, label: string, hint?: string, isRequired?: boolean}} CustomerField
 */

/** @type {CustomerField[]} */
export const CUSTOMER_FIELDS = [
  { name: 'customer_id', label: 'Advertiser ID', hint: 'Your own ID for the advertiser.', isRequired: true },
  { name: 'customer_name', label: 'Advertiser' },
  {
    name: 'customer_scenario_id', label: 'External ID', hint: 'Your own ID for lists and exports.',
    isRequired: true,
  },
  { name: 'customer_scenario_name', label: 'External name' },
  { name: 'customer_scenario_info', label: 'Notes' },
];

/** The JSON pointers of the fields. */
export const CUSTOMER_POINTERS = CUSTOMER_FIELDS.map(({ name }) => `/customer/${name}`);

/**
 * Returns empty fields.
 * @returns {CustomerDraft}
 */
export function emptyCustomer() {
  return {
    customer_id: '', customer_name: '', customer_scenario_id: '', customer_scenario_name: '',
    customer_scenario_info: '',
  };
}

