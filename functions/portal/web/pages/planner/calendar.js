// A timeline of the plan's flight and of the windows of its groups.

import { html } from 'htm/preact';
import { Timeline, barOfDays } from '../../scenario/timeline.js';
import { date } from '../../ui/format.js';
import { form, groups, windows } from './plan.js';

/** @typedef {import('../../scenario/flight-fields.js').Days} Days */

/** Shows the timeline, or nothing until the flight has valid dates. */
export function Calendar() {
  const { flight } = form.value;
  if (!isWhole(flight)) return null;
  const own = groups.value.map(({ key, name }) => ({
    name, bars: (windows.value[key] ?? []).filter(isWhole).map((days) => barOfDays(days, date)),
  }));
  const rows = [
    { name: 'Flight', bars: [barOfDays(flight, date)], isWhole: true },
    ...own.filter(({ bars }) => bars.length > 0),
  ];
  return html`<${Timeline} caption="When the campaign runs" rows=${rows} />`;
}

/** @param {Days} days */
function isWhole({ start_date: start, end_date: end }) {
  return start !== '' && end !== '' && start <= end;
}
