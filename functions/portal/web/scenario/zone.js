// Converts between local times in a time zone and RFC 3339 times.

import { US_ZONES } from './state-zones.js';

const MINUTE = 60_000;

/** The names of the time zones that the browser supports, with those of the United States first. */
export const ZONES = [...new Set([...US_ZONES, ...Intl.supportedValuesOf('timeZone')])];

/**
 * Returns whether a string names a time zone.
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
 * Converts an RFC 3339 time to a zone's local time, for a `datetime-local` input.
 * @param {string} moment the RFC 3339 time
 * @param {string} zone
 * @returns {string} such as `2027-07-04T18:00`, with seconds if they aren't 0
 */
export function clockTime(moment, zone) {
  const at = Date.parse(moment);
  const shown = new Date(at + offsetOf(at, zone) * MINUTE).toISOString().slice(0, -1);
  return shown.replace(/\.000$/, '').replace(/:00$/, '');
}

/**
 * Converts a zone's local time to an RFC 3339 time. If the local time occurs twice because clocks are set
 * back, returns the first occurrence. If it doesn't occur because clocks are set forward, uses the offset
 * before the change.
 * @param {string} clock the value of a `datetime-local` input
 * @param {string} zone
 * @returns {string} the time with the zone's offset, such as `2027-07-04T18:00:00-04:00`
 */
export function momentOf(clock, zone) {
  const shown = Date.parse(`${clock}Z`);
  // Offsets are shorter than a day, so the offset one day earlier is the offset before any change.
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
 * @returns {number} the zone's offset from UTC in minutes
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
