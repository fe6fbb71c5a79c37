// A line chart over days. The axis starts at zero, and projected values are dashed.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { capital, date, number } from '../ui/format.js';
import { Table } from '../ui/table.js';
import { Axes, MARGIN } from './axes.js';
import { DayControl, dayUnder } from './day-control.js';
import { linear, ticks } from './scale.js';
import { useWidth } from './use-width.js';

const HEIGHT = 220;

/** @typedef {{day: string, value: number}} Point */

/**
 * Shows one value per day. Values after `today` are projections, drawn as a dashed line.
 * @param {{title: string, unit: string, points: Point[], today: string}} props
 */
export function Line({ title, unit, points, today }) {
  const [chosen, setChosen] = useState(/** @type {string | null} */ (null));
  const days = points.map(({ day }) => day);
  const at = Math.max(0, days.indexOf(chosen && days.includes(chosen) ? chosen : today));
  const choose = (/** @type {number} */ n) => setChosen(days[n] ?? null);
  const text = (/** @type {Point} */ { day, value }) =>
    `${number(value)} ${unit}${day > today ? ' (projected)' : ''}`;
  const columns = [
    { title: 'Day', cell: (/** @type {Point} */ { day }) => date(day) },
    { title: 'Left at end of day', isNumber: true, cell: (/** @type {Point} */ point) => text(point) },
  ];
  return html`
    <figure class="chart">
      <figcaption>${title}</figcaption>
      <${Drawn} unit=${unit} points=${points} today=${today} at=${at} choose=${choose} />
      <${DayControl} label=${`Day, ${title}`} days=${days} at=${at} onChange=${choose}
        text=${text(/** @type {Point} */ (points[at]))} />
      <details>
        <summary>Show as table</summary>
        <${Table} caption=${title} columns=${columns} rows=${points}
          keyOf=${(/** @type {Point} */ row) => row.day} />
      </details>
    </figure>`;
}

/**
 * @param {{unit: string, points: Point[], today: string, at: number, choose: (n: number) => void}} props
 */
function Drawn({ unit, points, today, at, choose }) {
  const { place, width } = useWidth();
  const marks = ticks(0, Math.max(...points.map(({ value }) => value)));
  const y = linear([0, marks.at(-1) ?? 1], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const [left, right] = [MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)];
  const step = (right - left) / points.length;
  const x = (/** @type {number} */ n) => left + (n + 0.5) * step;
  const path = (/** @type {(point: Point) => boolean} */ isIn) => points
    .map((point, n) => ({ ...point, n })).filter(isIn)
    .map(({ n, value }) => `${x(n)},${y(value)}`).join(' ');
  const move = (/** @type {PointerEvent} */ event) => choose(dayUnder(event, left, right, points.length));
  return html`
    <div ref=${place} class="paper">
      <svg width=${width} height=${HEIGHT} aria-hidden="true" onPointerMove=${move} onPointerDown=${move}>
        <${Axes} width=${width} height=${HEIGHT} unit=${capital(unit)}
          days=${points.map(({ day }) => day)} marks=${marks} x=${x} y=${y} />
        <line class="chosen-day" x1=${x(at)} x2=${x(at)} y1=${MARGIN.top} y2=${HEIGHT - MARGIN.bottom} />
        <polyline class="known" points=${path(({ day }) => day <= today)} />
        <polyline class="expected" points=${path(({ day }) => day >= today)} />
        <circle class="at" cx=${x(at)} cy=${y(points[at]?.value ?? 0)} r="4" />
      </svg>
    </div>`;
}
