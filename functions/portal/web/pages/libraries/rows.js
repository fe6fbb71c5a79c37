// The bars of an asset's timeline: the flight and the windows of its displays, or the periods.

import { count, date } from '../../ui/format.js';
import { barOfDays } from '../../scenario/timeline.js';
import { clockTime } from '../../scenario/zone.js';

/** @typedef {import('../../scenario/timeline.js').Row} Row */

/** The most rows of windows; displays with the same windows share one. */
const MOST = 12;

/**
 * Lays out the flight, and the windows that displays have of their own.
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
 * Lays out the periods, by the clocks of the event's time zone.
 * @param {import('../../api/types').Schema<'EventAsset'>} event
 * @returns {Row[]}
 */
export function eventRows({ periods, timezone }) {
  return periods.map(({ period_name: name, start_time: start, end_time: end }) => {
    const [from, to] = [clockTime(start, timezone), clockTime(end, timezone)];
    const [starts, ends] = [clock(from), from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : clock(to)];
    return {
      name: `${name}: ${starts} – ${ends}`,
      bars: [{ from: Date.parse(`${from}Z`), to: Date.parse(`${to}Z`), start: starts, end: ends }],
    };
  });
}

/**
 * Writes what clocks show, such as `4 Jul 2027, 18:00`.
 * @param {string} text as an input of the type `datetime-local` has it
 */
export function clock(text) {
  const [day, hours = ''] = text.split('T');
  return day ? `${date(day)}, ${hours}` : '–';
}
