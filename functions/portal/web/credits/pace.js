// The rate at which credits are used, and a projection of the remaining credits.

import { DAY, dayAfter } from '../ui/days.js';

/** @typedef {import('../api/types').Schema<'UsageRow'>} UsageRow */
/** @typedef {import('../api/types').Schema<'GrantLife'>} Grant */

/** The maximum number of days in the average, including today. */
const PACE_DAYS = 14;
/** The length of the projection, in days. */
const HORIZON = 366;

/**
 * The average daily credit use.
 * @typedef {{perDay: number, days: number}} Pace `days` is the number of days in the average
 */

/**
 * A projection of the remaining credits.
 * @typedef {object} Projection
 * @property {{day: string, value: number}[]} points the remaining credits at the end of each day, from today
 * @property {string | null} runsOut the first day that ends without credits; null if there is none
 *   within a year
 * @property {boolean} byExpiry whether the last credits expire unused
 * @property {{kind: Grant['kind'], credits: number, on: string}[]} lost credits that expire unused
 */

/**
 * Returns the average daily use over the last 14 days, excluding days before the first use.
 * @param {UsageRow[]} rows
 * @param {string} today
 * @returns {Pace}
 */
export function paceOf(rows, today) {
  const start = dayAfter(today, 1 - PACE_DAYS);
  const used = rows.filter(({ credits }) => credits !== 0).map(({ day }) => day).sort();
  const first = used[0] !== undefined && used[0] > start ? used[0] : start;
  const days = (Date.parse(today) - Date.parse(first)) / DAY + 1;
  const credits = sum(rows.filter(({ day }) => day >= first).map((row) => row.credits));
  return { perDay: Math.max(0, credits / days), days };
}

/**
 * Projects the remaining credits, assuming that credits are used at the given pace from tomorrow. Grants are
 * used in order until they expire. Metered credits renew every month.
 * @param {Grant[]} grants in the order in which credits are drawn from them
 * @param {Pace} pace
 * @param {string} today
 * @returns {Projection}
 */
export function projectionOf(grants, { perDay }, today) {
  const live = grants.filter(({ state }) => state === 'live').map((grant) => ({ ...grant }));
  const left = () => sum(live.map(({ remaining }) => remaining));
  const points = [{ day: today, value: left() }];
  const lost = left() > 0 ? expire(live, dayAfter(today, 1)) : [];
  for (let n = 1; n <= HORIZON && left() > 0; n += 1) {
    const day = dayAfter(today, n);
    draw(live, perDay);
    const byExpiry = left() > 0;
    lost.push(...expire(live, dayAfter(day, 1)));
    points.push({ day, value: Math.round(left()) });
    if (left() === 0) return { points, runsOut: day, byExpiry, lost };
  }
  return { points, runsOut: left() === 0 ? today : null, byExpiry: lost.length > 0, lost };
}

/**
 * Returns the remaining credits at the end of each past day, starting on the day of the first grant.
 * @param {Grant[]} grants
 * @param {UsageRow[]} rows all usage since the first of `days`
 * @param {string[]} days the past days, up to today
 * @returns {{day: string, value: number}[]} empty if there are metered credits, because
 *   their history can't be computed from grants
 */
export function historyOf(grants, rows, days) {
  if (grants.some(({ kind }) => kind === 'metered')) return [];
  const joined = grants.map(({ joined_at: at }) => at?.slice(0, 10) ?? '').sort();
  const known = days.filter((day) => day >= (joined[0] ?? ''));
  const now = sum(grants.filter(({ state }) => state === 'live').map(({ remaining }) => remaining));
  return known.map((day) => {
    const isLater = (/** @type {string | null} */ time) => time !== null && time.slice(0, 10) > day;
    const used = sum(rows.filter((row) => row.day > day).map(({ credits }) => credits));
    const granted = sum(grants.filter((grant) => isLater(grant.joined_at)).map((grant) => grant.granted));
    const ended = grants.filter((grant) => grant.state !== 'live' && isLater(grant.ended_at));
    const gone = sum(ended.map(({ remaining }) => remaining));
    return { day, value: Math.max(0, now + used + gone - granted) };
  });
}

/**
 * Empties the grants that expire by the start of a day, renews metered credits, and returns the lost credits.
 * @param {Grant[]} live
 * @param {string} day
 * @returns {Projection['lost']}
 */
function expire(live, day) {
  /** @type {Projection['lost']} */
  const lost = [];
  for (const grant of live) {
    if (!grant.expires_at || Date.parse(grant.expires_at) > Date.parse(day)) continue;
    if (grant.kind === 'metered') {
      grant.remaining = grant.granted;
      grant.expires_at = nextMonth(day);
      continue;
    }
    const { kind, remaining, expires_at: on } = grant;
    if (remaining > 0) lost.push({ kind, credits: Math.round(remaining), on });
    grant.remaining = 0;
    grant.expires_at = null;
  }
  return lost;
}

/**
 * @param {Grant[]} live
 * @param {number} credits
 */
function draw(live, credits) {
  let open = credits;
  for (const grant of live) {
    const taken = Math.min(open, grant.remaining);
    grant.remaining -= taken;
    open -= taken;
  }
}

/** @param {string} day */
function nextMonth(day) {
  const [year, month] = day.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, month ?? 1, 1)).toISOString();
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
