// The rows of an asset's timeline: the flight and the windows of a campaign, or the periods of an event.

import { clock, clockHours, count, date } from '../../ui/format.js';
import { barOfDays } from '../../scenario/timeline.js';
import { clockTime } from '../../scenario/zone.js';

/** @typedef {import('../../scenario/timeline.js').Row} Row */

/** The maximum number of rows for displays. Displays with the same windows share one row. */
const MOST = 12;

/**
 * Returns a row for the flight, and a row for each group of displays that have the same windows.
 * @param {import('../../api/types').Schema<'CampaignAsset'>} campaign
 * @returns {Row[]}
 */
export function campaignRows({ flight, spots }) {
  const rotating = spots.filter(({ windows }) => windows?.length);
  const groups = Map.groupBy(rotating, ({ windows }) => JSON.stringify(windows));
  const rows = [...groups.values()].slice(0, MOST).map((own) => ({
    name: own.length === 1 ? `Display ${own[0].display_id}` : count(own.length, 'display'),
    bars: (own[0].windows ?? []).map((window) => barOfDays(/** @type {any} */ (window), date)),
  }));
  return [{ name: 'Flight', bars: [barOfDays(flight, date)], isWhole: true }, ...rows];
}

/**
 * Returns a row for each period. The times are in the event's time zone.
 * @param {import('../../api/types').Schema<'EventAsset'>} event
 * @returns {Row[]}
 */
export function eventRows({ periods, timezone }) {
  return periods.map(({ period_name: name, start_time: start, end_time: end }) => {
    const [from, to] = [clockTime(start, timezone), clockTime(end, timezone)];
    const isOneDay = from.slice(0, 10) === to.slice(0, 10);
    const [starts, ends] = [clock(from), isOneDay ? clockHours(to) : clock(to)];
    return {
      name: `${name}: ${starts} – ${ends}`,
      bars: [{ from: Date.parse(`${from}Z`), to: Date.parse(`${to}Z`), start: starts, end: ends }],
    };
  });
}

