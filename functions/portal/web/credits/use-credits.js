// The data for pages about credits. Two free calls load 90 days of usage and all grants.

import { useCall } from '../api/use-call.js';
import { dayAfter, today as todayOf } from '../ui/days.js';
import { paceOf, projectionOf } from './pace.js';

/** The number of days of usage to load, including today. */
const LOADED_DAYS = 90;

/**
 * @typedef {object} CreditsRead
 * @property {string} today
 * @property {import('./pace.js').UsageRow[]} rows
 * @property {import('./pace.js').Grant[]} grants
 * @property {import('./pace.js').Pace} pace
 * @property {import('./pace.js').Projection} projection
 */

/**
 * Loads usage and grants, and computes the projection.
 * @returns {{read: CreditsRead | null, error: Error | null, retry: () => void}} `read` is null
 *   until both calls have succeeded
 */
export function useCredits() {
  const today = todayOf();
  const usage = useCall('read_usage', { query: { from: dayAfter(today, 1 - LOADED_DAYS) } });
  const grants = useCall('read_grants', {});
  const retry = () => {
    if (usage.error) usage.retry();
    if (grants.error) grants.retry();
  };
  const error = usage.error ?? grants.error;
  if (!usage.body || !grants.body) return { read: null, error, retry };
  const [rows, all] = [usage.body.data, grants.body.data];
  const pace = paceOf(rows, today);
  const read = { today, rows, grants: all, pace, projection: projectionOf(all, pace, today) };
  return { read, error, retry };
}

/**
 * Returns the number of credits used so far this month.
 * @param {CreditsRead} read
 */
export function usedThisMonth({ rows, today }) {
  const ofMonth = rows.filter(({ day }) => day.startsWith(today.slice(0, 7)));
  return ofMonth.reduce((sum, { credits }) => sum + credits, 0);
}
