// Days as the interface writes them, in UTC: `2027-04-05`.

/** A day in milliseconds. */
export const DAY = 24 * 60 * 60 * 1000;

/** Names today. */
export function today() {
  return new Date().toISOString().slice(0, 10);
}

/**
 * Names the day that is so many days after another.
 * @param {string} day
 * @param {number} days may be negative
 */
export function dayAfter(day, days) {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/**
 * Lists the days up to one, which is the last.
 * @param {string} last
 * @param {number} length
 */
export function daysUpTo(last, length) {
  return Array.from({ length }, (_, n) => dayAfter(last, n - length + 1));
}
