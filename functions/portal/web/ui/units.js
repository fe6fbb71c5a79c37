// Lengths in the units of the browser's locale, such as feet and miles in the United States.

/** The length of an international mile, in meters. */
export const METERS_PER_MILE = 1609.344;

const CUSTOMARY = ['US', 'LR', 'MM'];
const METERS_PER_INCH = 0.0254;
const ONE_DIGIT = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** The unit system of the browser's locale. */
export const unitSystem = CUSTOMARY.includes(new Intl.Locale(navigator.language).maximize().region ?? '')
  ? 'imperial'
  : 'metric';

/**
 * Formats the size of a face, height first, such as `14 × 48 ft`.
 * @param {{width: number, height: number}} size in inches
 */
export function faceSize({ width, height }) {
  const isFeet = unitSystem === 'imperial';
  const length = (/** @type {number} */ inches) =>
    ONE_DIGIT.format(isFeet ? inches / 12 : inches * METERS_PER_INCH);
  return `${length(height)} × ${length(width)} ${isFeet ? 'ft' : 'm'}`;
}

/**
 * Formats a distance, such as `0.4 mi`.
 * @param {number} meters
 */
export function distance(meters) {
  const isMiles = unitSystem === 'imperial';
  return `${ONE_DIGIT.format(meters / (isMiles ? METERS_PER_MILE : 1000))} ${isMiles ? 'mi' : 'km'}`;
}
