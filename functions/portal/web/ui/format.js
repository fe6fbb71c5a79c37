// Formats numbers, dates, and text for the browser's locale.

const NUMBER = new Intl.NumberFormat();
const SIGNED = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 2 });
const DAY = /** @type {const} */ ({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const HOURS = /** @type {const} */ ({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
const DATE = new Intl.DateTimeFormat(undefined, DAY);
const TIME = new Intl.DateTimeFormat(undefined, { ...DAY, ...HOURS, timeZoneName: 'short' });
const CLOCK = new Intl.DateTimeFormat(undefined, { ...DAY, ...HOURS });
const CLOCK_HOURS = new Intl.DateTimeFormat(undefined, HOURS);

/**
 * Formats a number with separators, or a missing number as a dash.
 * @param {number | null | undefined} value
 */
export function number(value) {
  return value === null || value === undefined ? '–' : NUMBER.format(value);
}

/**
 * Formats a difference with its sign, such as `+1,234`, or a missing one as a dash.
 * @param {number | null} value
 */
export function signed(value) {
  return value === null ? '–' : SIGNED.format(value);
}

/**
 * Formats a number with its noun, such as `2 credits`.
 * @param {number} value
 * @param {string} one the singular noun
 * @param {string} [many] the plural noun
 */
export function count(value, one, many = `${one}s`) {
  return `${NUMBER.format(value)} ${value === 1 ? one : many}`;
}

/**
 * Formats a day, such as `Apr 5, 2027` in American English.
 * @param {string | null | undefined} value an ISO date, or a time, whose day in UTC is shown
 */
export function date(value) {
  return value ? DATE.format(new Date(value)) : '–';
}

/**
 * Formats a date and time in UTC, with the name of the time zone.
 * @param {string | null | undefined} value
 */
export function time(value) {
  return value ? TIME.format(new Date(value)) : '–';
}

/**
 * Formats a local date and time without the time zone, such as `Jul 4, 2027, 6:00 PM`.
 * @param {string} text the value of a `datetime-local` input
 */
export function clock(text) {
  return text ? CLOCK.format(new Date(`${text}Z`)) : '–';
}

/**
 * Formats the time of day of a local time, such as `6:00 PM`.
 * @param {string} text the value of a `datetime-local` input
 */
export function clockHours(text) {
  return CLOCK_HOURS.format(new Date(`${text}Z`));
}

/**
 * Formats a fraction as a percentage.
 * @param {number | null | undefined} value
 * @param {number} [digits] the number of decimal places
 */
export function percent(value, digits = 1) {
  if (value === null || value === undefined) return '–';
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(undefined, { style: 'percent', ...fraction });
}

/**
 * Capitalizes the first letter of a string.
 * @param {string} words
 */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Capitalizes a message, and adds a period if there is no final punctuation.
 * @param {string} text
 */
export function sentence(text) {
  const whole = capital(text);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
