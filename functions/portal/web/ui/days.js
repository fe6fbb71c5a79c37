// Days in UTC, as strings in the API's format, such as `2027-04-05`.

/** The length of a day, in milliseconds. */
export const DAY = 24 * 60 * 60 * 1000;

/** Returns the current day in UTC. */
export function today() {
  return new Date().toISOString().slice(0, 10);
}

/**
 * Returns the day that is `days` days after another day.
 * @param {string} day
 * @param {number} days can be negative
 */
export function dayAfter(day, days) {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/**
 * Returns consecutive days that end with `last`.
 * @param {string} last
 * @param {number} length the number of days
 */
export function daysUpTo(last, length) {
  return Array.from({ length }, (_, n) => dayAfter(last, n - length + 1));
}
