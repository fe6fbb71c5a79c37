// The time zones of places in the United States, which are the default time zones for events.

/**
 * The states in each time zone. A state with two time zones is listed under the one where most of its
 * residents live.
 */
const STATES = {
  'America/New_York': 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV',
  'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
  'America/Denver': 'CO ID MT NM UT WY',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA NV OR WA',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
  'America/Puerto_Rico': 'PR',
};

/**
 * The western time zone of some states with two time zones, and the approximate longitude of the boundary.
 */
const WEST = /** @type {Record<string, [number, string]>} */ ({
  FL: [-85.1, 'America/Chicago'], KY: [-86, 'America/Chicago'], TX: [-104.9, 'America/Denver'],
  NE: [-101, 'America/Denver'], SD: [-101, 'America/Denver'], ND: [-101.5, 'America/Denver'],
});
const EAST = /** @type {Record<string, [number, string]>} */ ({ TN: [-85.5, 'America/New_York'] });

/** The main time zones of the United States. */
export const US_ZONES = Object.keys(STATES);

/**
 * Returns the time zone of a place; undefined if the place isn't in the United States.
 * @param {string} state such as `TX`
 * @param {number} longitude
 */
export function zoneOfPlace(state, longitude) {
  const [west, east] = [WEST[state], EAST[state]];
  if (west && longitude < west[0]) return west[1];
  if (east && longitude > east[0]) return east[1];
  return Object.entries(STATES).find(([, states]) => states.split(' ').includes(state))?.[0];
}
