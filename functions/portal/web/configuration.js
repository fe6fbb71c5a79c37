// What the shell says about the place where the pages are served.

/**
 * @typedef {object} Configuration
 * @property {string | null} issuer whose tokens the interface takes; null where nobody can sign in
 * @property {string | null} client_id as whom the pages sign people in
 * @property {string | null} sign_out_url where a session at the issuer ends, in Cognito's dialect
 * @property {string | null} search_url the search gateway's origin; null for the pages' own
 * @property {string | null} support_url where more credits are to be had
 * @property {boolean} self_sign_up whether people sign up by themselves
 * @property {boolean} local whether this is a laptop's process
 */

/** @type {Configuration} */
export const configuration = JSON.parse(document.getElementById('configuration')?.textContent ?? '{}');
