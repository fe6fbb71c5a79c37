// Numbers, times and names as people read them.

const NUMBER = new Intl.NumberFormat('en-US');
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC',
});

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
