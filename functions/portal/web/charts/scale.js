// The scales of axes: pixel positions and round values.

/** The allowed sizes of grid intervals, before scaling by a power of ten. */
const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/**
 * Returns round values that span a range and include zero.
 * @param {number} least at most 0
 * @param {number} most at least 0
 * @param {number} [wanted] the approximate number of steps
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
 * Returns the end of an axis that starts at zero, includes a value, and has equal intervals of a round size.
 * @param {number} value
 * @param {number} [parts] the number of intervals
 */
export function roundUp(value, parts = 1) {
  if (value <= 0) return parts;
  const part = value / parts;
  const power = 10 ** Math.floor(Math.log10(part));
  const isWhole = power >= 10;
  const steps = isWhole ? STEPS : STEPS.filter(Number.isInteger);
  const step = steps.find((candidate) => candidate * power >= part * (1 - 1e-9)) ?? 10;
  return Math.max(power < 1 ? 0 : 1, step * power) * parts;
}

/**
 * Returns a function that maps a range of values to a range of pixels.
 * @param {[number, number]} values
 * @param {[number, number]} pixels
 * @returns {(value: number) => number}
 */
export function linear([from, to], [first, last]) {
  return (value) => first + ((value - from) / (to - from || 1)) * (last - first);
}
