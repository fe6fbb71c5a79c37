// Ends of axes that can be read aloud.

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/**
 * Returns the end of an axis from zero that holds a value and falls into equal parts of round numbers.
 * @param {number} value
 * @param {number} [parts]
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
