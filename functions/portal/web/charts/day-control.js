// Selection of a chart's day by keyboard or pointer.

import { html } from 'htm/preact';
import { date } from '../ui/format.js';

/**
 * Shows a slider over days and the values of the selected day.
 * @param {{label: string, days: string[], at: number, onChange: (at: number) => void, text: string}} props
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
 * Returns the day under the pointer.
 * @param {PointerEvent} event of the chart's svg
 * @param {number} left the start of the first day, in pixels
 * @param {number} right the end of the last day, in pixels
 * @param {number} length the number of days
 */
export function dayUnder(event, left, right, length) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  const share = (event.clientX - box.left - left) / (right - left);
  return Math.max(0, Math.min(length - 1, Math.floor(share * length)));
}
