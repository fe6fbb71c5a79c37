// The labeled axes of a chart over days.

import { html } from 'htm/preact';
import { date, number } from '../ui/format.js';

/** The margins around the plot, in pixels. */
export const MARGIN = { top: 24, right: 12, bottom: 40, left: 76 };
/** The width of a day's label, including spacing, in pixels. */
const NAME = 150;

/**
 * Draws both axes: grid lines labeled with their values, and as many day labels as fit.
 * @param {{width: number, height: number, unit: string, days: string[], marks: number[],
 *   x: (n: number) => number, y: (value: number) => number}} props `marks` are the values of the
 *   grid lines; `x` returns the center of the nth day and `y` the position of a value, in pixels
 */
export function Axes({ width, height, unit, days, marks, x, y }) {
  const bottom = height - MARGIN.bottom;
  const every = Math.max(1, Math.ceil((days.length * NAME) / Math.max(1, width - MARGIN.left)));
  const named = days.map((day, n) => ({ day, n })).filter(({ n }) => (days.length - 1 - n) % every === 0);
  return html`
    <g class="axes">
      <text x="4" y="14">${unit}</text>
      ${marks.map((mark) => html`
        <line class=${mark === 0 ? 'zero' : ''} x1=${MARGIN.left} x2=${width - MARGIN.right}
          y1=${y(mark)} y2=${y(mark)} />
        <text x=${MARGIN.left - 8} y=${y(mark) + 4} text-anchor="end">${number(mark)}</text>`)}
      ${named.map(({ day, n }) => html`
        <text x=${Math.min(x(n), width - MARGIN.right)} y=${bottom + 18}
          text-anchor=${anchor(n, days.length)}>
          ${date(day)}
        </text>`)}
      <text x=${(MARGIN.left + width) / 2} y=${height - 4} text-anchor="middle">Day (UTC)</text>
    </g>`;
}

/**
 * @param {number} n
 * @param {number} length
 */
function anchor(n, length) {
  return n === length - 1 && length > 1 ? 'end' : 'middle';
}
