// Times as the clocks of a time zone show them, and the moments that they are.

const MINUTE = 60_000;

/** The names of all time zones that this browser knows. */
export const ZONES = Intl.supportedValuesOf('timeZone');

/**
 * Tells whether a text names a time zone.
 * @param {string} zone
 */
export function isZone(zone) {
  try {
    return zone !== '' && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/**
 * Writes a moment as the clocks of a zone show it, for an input of the type `datetime-local`.
 * @param {string} moment RFC 3339
 * @param {string} zone
 * @returns {string} such as `2027-07-04T18:00`, with seconds where it has some
 */
export function clockTime(moment, zone) {
  const at = Date.parse(moment);
  const shown = new Date(at + offsetOf(at, zone) * MINUTE).toISOString().slice(0, -1);
  return shown.replace(/\.000$/, '').replace(/:00$/, '');
}

/**
 * Writes what the clocks of a zone show as the moment that it is. Where clocks are put back, the earlier of
 * the two moments is meant; an hour that they leap over counts as it would have before the leap.
 * @param {string} clock as an input of the type `datetime-local` has it
 * @param {string} zone
 * @returns {string} RFC 3339 with the zone's offset, such as `2027-07-04T18:00:00-04:00`
 */
export function momentOf(clock, zone) {
  const shown = Date.parse(`${clock}Z`);
  // Zones shift by less than a day: the offset of a day before is that before any leap.
  const before = offsetOf(shown - 1440 * MINUTE, zone);
  const after = offsetOf(shown - before * MINUTE, zone);
  const isReached = offsetOf(shown - after * MINUTE, zone) === after;
  const offset = isReached ? after : before;
  const [day, time] = clock.split('T');
  return `${day}T${time.length === 5 ? `${time}:00` : time}${written(offset)}`;
}

/**
 * @param {number} at
 * @param {string} zone
 * @returns {number} minutes that the zone is ahead of UTC
 */
function offsetOf(at, zone) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? ['', '+', '0', '0'];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** @param {number} offset */
function written(offset) {
  const two = (/** @type {number} */ value) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
}
