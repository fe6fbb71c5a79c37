// The customer of a campaign or an event as a form holds it: texts as they are typed.

/**
 * @typedef {object} CustomerDraft
 * @property {string} customer_id
 * @property {string} customer_name
 * @property {string} customer_scenario_id
 * @property {string} customer_scenario_name
 * @property {string} customer_scenario_info
 */

/** @typedef {{name: keyof CustomerDraft, label: string, hint?: string}} CustomerField */

/** @type {CustomerField[]} */
const FIELDS = [
  { name: 'customer_id', label: 'Customer id' },
  { name: 'customer_name', label: 'Customer' },
  { name: 'customer_scenario_id', label: 'Your own id', hint: 'Find it again by this in the library.' },
  { name: 'customer_scenario_name', label: 'Your own name' },
  { name: 'customer_scenario_info', label: 'Notes' },
];

/** The pointers of its members. */
export const CUSTOMER_POINTERS = FIELDS.map(({ name }) => `/customer/${name}`);

/**
 * Returns an empty form.
 * @returns {CustomerDraft}
 */
export function emptyCustomer() {
  return {
    customer_id: '', customer_name: '', customer_scenario_id: '', customer_scenario_name: '',
    customer_scenario_info: '',
  };
}

/**
 * Lists the members with what people call them.
 * @param {boolean} isNumbered whether the customer's id is a whole number, as a campaign's is
 */
export function customerFields(isNumbered) {
  const [id, ...others] = FIELDS;
  return [isNumbered ? { ...id, label: 'Customer number' } : id, ...others];
}
