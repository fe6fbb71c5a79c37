// Numbers, times and words as people read them.

const NUMBER = new Intl.NumberFormat('en-US');
const DAY = /** @type {const} */ ({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const DATE = new Intl.DateTimeFormat('en-GB', DAY);
const TIME = new Intl.DateTimeFormat('en-GB', { ...DAY, hour: '2-digit', minute: '2-digit' });

/**
 * Writes a number with separators.
 * @param {number | null | undefined} value
 */
export function number(value) {
  return value === null || value === undefined ? '–' : NUMBER.format(value);
}

/**
 * Writes how many of something there are.
 * @param {number} value
 * @param {string} one
 * @param {string} [many]
 */
export function count(value, one, many = `${one}s`) {
  return `${NUMBER.format(value)} ${value === 1 ? one : many}`;
}

/**
 * Writes a day such as `5 Apr 2027`.
 * @param {string | null | undefined} value an ISO date, or a time, whose day in UTC is meant
 */
export function date(value) {
  return value ? DATE.format(new Date(value)) : '–';
}

/**
 * Writes a time with its zone, which is UTC.
 * @param {string | null | undefined} value
 */
export function time(value) {
  return value ? `${TIME.format(new Date(value))} UTC` : '–';
}

/**
 * Writes a share of one as percent.
 * @param {number | null | undefined} value
 * @param {number} [digits]
 */
export function percent(value, digits = 1) {
  return value === null || value === undefined ? '–' : `${(value * 100).toFixed(digits)} %`;
}

/**
 * Begins words with a capital letter.
 * @param {string} words
 */
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Writes a service's message as a sentence: it begins in lower case.
 * @param {string} text
 */
export function sentence(text) {
  const whole = capital(text);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
