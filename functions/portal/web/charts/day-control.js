// Controls to select a day of a chart by keyboard or pointer.

import { html } from 'htm/preact';
import { date } from '../ui/format.js';

/**
 * Shows a slider to select a day, and the values of that day.
 * @param {{label: string, days: string[], at: number, onChange: (at: number) => void, text: string}} props
 *   `at` is the position of the selected day in `days`; `text` contains the values of that day
 */
export function DayControl({ label, days, at, onChange, text }) {
  const change = (/** @type {any} */ event) => onChange(Number(event.target.value));
  return html`
    <div class="day">
      <label>
        <span class="hidden">${label}</span>
        <input type="range" min="0" max=${days.length - 1} value=${at} onInput=${change}
          aria-valuetext=${`${date(days[at])}: ${text}`} />
      </label>
      <p class="readout"><strong>${date(days[at])}</strong> ${text}</p>
    </div>`;
}

/**
 * Returns the position of the day under the pointer; 0 is the first day.
 * @param {PointerEvent} event an event of the chart's `svg` element
 * @param {number} left the left edge of the first day, in pixels
 * @param {number} right the right edge of the last day, in pixels
 * @param {number} length the number of days
 */
export function dayUnder(event, left, right, length) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  const share = (event.clientX - box.left - left) / (right - left);
  return Math.max(0, Math.min(length - 1, Math.floor(share * length)));
}
