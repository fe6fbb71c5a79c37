// The deployment's configuration, which the service inserts into the HTML document.

/**
 * @typedef {object} Configuration
 * @property {string | null} issuer the token issuer's URL; null if sign-in isn't configured
 * @property {string | null} client_id the portal's client ID at the issuer
 * @property {string | null} sign_out_url the issuer's sign-out page, which accepts Cognito's parameters
 * @property {string | null} search_url the search gateway's origin; null if it's the portal's origin
 * @property {string | null} support_url the page where people get more credits
 * @property {{style_url: string} | null} base_map the administrator's own MapLibre style; null for the base
 *   map of the release
 * @property {boolean} self_sign_up whether self-service sign-up is on
 * @property {boolean} local whether the service runs on a developer's computer
 */

/** @type {Configuration} */
export const configuration = JSON.parse(document.getElementById('configuration')?.textContent ?? '{}');
