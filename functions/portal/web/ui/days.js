// Days in the API's format, in UTC: `2027-04-05`.

/** Milliseconds per day. */
export const DAY = 24 * 60 * 60 * 1000;

/** Returns the current day. */
export function today() {
  return new Date().toISOString().slice(0, 10);
}

/**
 * Adds days to a day.
 * @param {string} day
 * @param {number} days may be negative
 */
export function dayAfter(day, days) {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/**
 * Lists consecutive days up to and including `last`.
 * @param {string} last
 * @param {number} length
 */
export function daysUpTo(last, length) {
  return Array.from({ length }, (_, n) => dayAfter(last, n - length + 1));
}
