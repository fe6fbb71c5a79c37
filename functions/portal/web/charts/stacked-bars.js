// A chart with one stacked bar per day, a slider, and a table.

import { html } from 'htm/preact';
import { useId, useState } from 'preact/hooks';
import { capital, count, date, number } from '../ui/format.js';
import { Table } from '../ui/table.js';
import { Axes, MARGIN } from './axes.js';
import { DayControl, dayUnder } from './day-control.js';
import { Fills, Swatch } from './fill.js';
import { linear, ticks } from './scale.js';
import { useWidth } from './use-width.js';

const HEIGHT = 280;

/** A series with one value per day. Refunds are negative. */
/** @typedef {{name: string, values: number[]}} Series */

/**
 * Shows one stacked bar per day, with a legend and a table.
 * @param {{title: string, unit: string, days: string[], series: Series[]}} props `unit` is the singular noun,
 *   such as `credit`
 */
export function StackedBars({ title, unit, days, series }) {
  const prefix = `${useId()}-fill-`;
  const [chosen, setChosen] = useState(/** @type {string | null} */ (null));
  const at = chosen && days.includes(chosen) ? days.indexOf(chosen) : days.length - 1;
  const choose = (/** @type {number} */ n) => setChosen(days[n] ?? null);
  return html`
    <figure class="chart">
      <figcaption>${title}</figcaption>
      <${Bars} unit=${`${unit}s`} days=${days} series=${series} at=${at} choose=${choose} prefix=${prefix} />
      <${DayControl} label=${`Day, ${title}`} days=${days} at=${at} onChange=${choose}
        text=${dayText(series, at, unit)} />
      <ul class="chart-legend">
        ${series.map(({ name, values }, n) => html`
          <li>
            <${Swatch} prefix=${prefix} n=${n} /> ${name} <span class="soft">${number(sum(values))}</span>
          </li>`)}
      </ul>
      <details>
        <summary>Show as table</summary>
        <${Table} caption=${title} columns=${columns(series)} rows=${rows(days, series)}
          keyOf=${(/** @type {Row} */ row) => row.day} />
      </details>
    </figure>`;
}

/**
 * @param {{unit: string, days: string[], series: Series[], at: number, choose: (n: number) => void,
 *   prefix: string}} props
 */
function Bars({ unit, days, series, at, choose, prefix }) {
  const { place, width } = useWidth();
  const stacks = days.map((_, n) => stack(series.map(({ values }) => values[n] ?? 0)));
  const least = Math.min(0, ...stacks.map((day) => day.least));
  const marks = ticks(least, Math.max(0, ...stacks.map((day) => day.most)));
  const y = linear([marks[0] ?? 0, marks.at(-1) ?? 1], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const [left, right] = [MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)];
  const step = (right - left) / days.length;
  const move = (/** @type {PointerEvent} */ event) => choose(dayUnder(event, left, right, days.length));
  return html`
    <div ref=${place} class="paper">
      <svg width=${width} height=${HEIGHT} aria-hidden="true" onPointerMove=${move} onPointerDown=${move}>
        <${Fills} prefix=${prefix} length=${series.length} />
        <rect class="chosen-day" x=${left + at * step} y=${MARGIN.top} width=${step}
          height=${HEIGHT - MARGIN.top - MARGIN.bottom} />
        <${Axes} width=${width} height=${HEIGHT} unit=${capital(unit)} days=${days} marks=${marks} y=${y}
          x=${(/** @type {number} */ n) => left + (n + 0.5) * step} />
        ${stacks.map(({ parts }, n) => parts.map(({ from, to, part }) => html`
          <rect class="bar-part" fill=${`url(#${prefix}${part})`} x=${left + (n + 0.1) * step}
            width=${step * 0.8} y=${y(Math.max(from, to))} height=${Math.abs(y(from) - y(to))} />`))}
      </svg>
    </div>`;
}

/**
 * Stacks the values of a day. Refunds extend below zero.
 * @param {number[]} values
 */
function stack(values) {
  let [least, most] = [0, 0];
  const parts = [];
  for (const [part, value] of values.entries()) {
    if (value === 0) continue;
    const from = value > 0 ? most : least;
    if (value > 0) most += value;
    else least += value;
    parts.push({ from, to: from + value, part });
  }
  return { least, most, parts };
}

/**
 * @param {Series[]} series
 * @param {number} at
 * @param {string} unit
 */
function dayText(series, at, unit) {
  const used = series.filter(({ values }) => values[at]);
  const total = count(sum(used.map(({ values }) => values[at] ?? 0)), unit);
  if (used.length === 0) return total;
  return `${total}: ${used.map(({ name, values }) => `${name} ${number(values[at])}`).join(', ')}`;
}

/** @typedef {{day: string, values: number[]}} Row */

/**
 * @param {string[]} days
 * @param {Series[]} series
 * @returns {Row[]}
 */
function rows(days, series) {
  const all = days.map((day, n) => ({ day, values: series.map(({ values }) => values[n] ?? 0) }));
  return all.filter(({ values }) => values.some((value) => value !== 0)).reverse();
}

/**
 * @param {Series[]} series
 * @returns {import('../ui/table.js').Column<Row>[]}
 */
function columns(series) {
  return [
    { title: 'Day', cell: ({ day }) => date(day) },
    ...series.map(({ name }, n) => (
      { title: name, isNumber: true, cell: (/** @type {Row} */ { values }) => number(values[n]) })),
    { title: 'Total', isNumber: true, cell: ({ values }) => number(sum(values)) },
  ];
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
