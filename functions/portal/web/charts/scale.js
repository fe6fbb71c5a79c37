// Axes: where a value lies on paper, and which round values are named beside it.

const DAY = 24 * 60 * 60 * 1000;

/**
 * Returns round values that span a range, zero among them.
 * @param {number} least at most 0
 * @param {number} most at least 0
 * @param {number} [wanted] about how many steps
 */
export function ticks(least, most, wanted = 4) {
  const span = Math.max(most - least, 1);
  const power = 10 ** Math.floor(Math.log10(span / wanted));
  const step = Math.max(1, power * ([1, 2, 5, 10].find((times) => times * power * wanted >= span) ?? 10));
  const found = [];
  for (let at = Math.floor(least / step) * step; at < most + step; at += step) found.push(at);
  return found.length > 1 ? found : [0, 1];
}

/**
 * Returns a function that maps a range of values onto a range of pixels.
 * @param {[number, number]} values
 * @param {[number, number]} pixels
 * @returns {(value: number) => number}
 */
export function linear([from, to], [first, last]) {
  return (value) => first + ((value - from) / (to - from || 1)) * (last - first);
}

/**
 * Names the day that is so many days after another.
 * @param {string} day an ISO date
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

/** Names today, in UTC, as usage has it. */
export function today() {
  return new Date().toISOString().slice(0, 10);
}
