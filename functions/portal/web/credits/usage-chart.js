// A chart of calls or credits by product and day, over 30 or 90 days.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { StackedBars } from '../charts/stacked-bars.js';
import { Choice } from '../ui/choice.js';
import { daysUpTo } from '../ui/days.js';
import { productName } from './names.js';

/** @typedef {'credits' | 'calls'} Unit */

const UNIT_NAMES = { credits: 'Credits', calls: 'Calls' };
const UNITS = Object.entries(UNIT_NAMES).map(([value, name]) => ({ value, name }));
const LENGTHS = [{ value: '30', name: '30 days' }, { value: '90', name: '90 days' }];

/**
 * Shows the chart, with switches for the unit and the period.
 * @param {{rows: import('./pace.js').UsageRow[], today: string, onDays?: (days: number) => void,
 *   children?: any}} props `children` are shown next to the switches; `onDays` is called with the
 *   number of days after a change
 */
export function UsageChart({ rows, today, onDays, children }) {
  const [unit, setUnit] = useState(/** @type {Unit} */ ('credits'));
  const [length, setLength] = useState('30');
  const days = daysUpTo(today, Number(length));
  const choose = (/** @type {string} */ chosen) => {
    setLength(chosen);
    onDays?.(Number(chosen));
  };
  return html`
    <div class="switches">
      <${Choice} label="Unit" options=${UNITS} value=${unit} onChange=${setUnit} />
      <${Choice} label="Period" options=${LENGTHS} value=${length} onChange=${choose} />
      ${children}
    </div>
    <${StackedBars} title=${`${UNIT_NAMES[unit]} by product and day, last ${length} days`}
      unit=${unit.slice(0, -1)} days=${days} series=${seriesOf(rows, days, unit)} />`;
}

/**
 * Groups usage into one series per product, largest first.
 * @param {import('./pace.js').UsageRow[]} rows
 * @param {string[]} days
 * @param {Unit} unit
 * @returns {import('../charts/stacked-bars.js').Series[]}
 */
function seriesOf(rows, days, unit) {
  const used = rows.filter((row) => days.includes(row.day) && row[unit] !== 0);
  const products = Map.groupBy(used, ({ meter: name }) => name);
  const all = [...products].map(([name, own]) => {
    const byDay = new Map(own.map((row) => [row.day, row[unit]]));
    return {
      name: productName(name),
      values: days.map((day) => byDay.get(day) ?? 0),
      total: own.reduce((sum, row) => sum + row[unit], 0),
    };
  });
  return all.sort((a, b) => b.total - a.total || a.name.localeCompare(b.name));
}
