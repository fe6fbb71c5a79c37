// A timeline: bars over a calendar of weeks or, if it's short, of days, and a table for screen readers.

import { html } from 'htm/preact';
import { useWidth } from '../charts/use-width.js';
import { DAY } from '../ui/days.js';
import { date } from '../ui/format.js';

const ROW = 34;
const AXIS = 22;
/** The maximum number of date labels. */
const MOST_LABELS = 6;
/** The minimum space for a label in pixels, which is enough for `Sep 28, 2027`. */
const LABEL = 76;

const SHORT = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The first day of the week in the browser's locale: 1 for Monday, 7 for Sunday. */
const FIRST_DAY = firstDayOfWeek();

/**
 * @typedef {object} Bar
 * @property {number} from the start in epoch milliseconds, with local times treated as UTC
 * @property {number} to the end, exclusive, in epoch milliseconds
 * @property {string} start the formatted start
 * @property {string} end the formatted end
 */

/** @typedef {{name: string, bars: Bar[], isWhole?: boolean}} Row `isWhole` emphasizes the row's bars */

/**
 * Returns the bar for a range of days.
 * @param {{start_date: string, end_date: string}} days both days are included
 * @param {(day: string) => string} write formats a day
 * @returns {Bar}
 */
export function barOfDays({ start_date: start, end_date: end }, write) {
  return { from: Date.parse(start), to: Date.parse(end) + DAY, start: write(start), end: write(end) };
}

/**
 * Shows rows of bars over one calendar.
 * @param {{caption: string, rows: Row[]}} props at least one of the rows must have a bar
 */
export function Timeline({ caption, rows }) {
  const { place, width } = useWidth();
  const bars = rows.flatMap((row) => row.bars);
  const { from, to, ticks } = calendar(bars, width);
  const at = (/** @type {number} */ moment) => `${(((moment - from) / (to - from)) * 100).toFixed(3)}%`;
  const height = rows.length * ROW + AXIS;
  return html`
    <figure class="timeline" ref=${place}>
      <svg width="100%" height=${height} aria-hidden="true">
        ${ticks.map(({ moment, label }) => html`
          <line x1=${at(moment)} x2=${at(moment)} y1="0" y2=${height - AXIS} class="tick" />
          ${label && html`<text x=${at(moment)} dx="3" y=${height - 6} class="when">${label}</text>`}`)}
        ${rows.map((row, n) => html`
          <text x="3" y=${n * ROW + 13} class="name">${row.name}</text>
          ${row.bars.map((bar) => html`
            <rect x=${at(bar.from)} y=${n * ROW + 18} height="12" rx="2"
              class=${row.isWhole ? 'run whole' : 'run'}
              style=${{ width: `max(3px, ${(((bar.to - bar.from) / (to - from)) * 100).toFixed(3)}%)` }}>
              <title>${row.name}: ${bar.start} – ${bar.end}</title>
            </rect>`)}`)}
      </svg>
      <div class="hidden"><table>
        <caption>${caption}</caption>
        <thead><tr><th scope="col">Item</th><th scope="col">Starts</th><th scope="col">Ends</th></tr></thead>
        <tbody>${rows.flatMap(({ name, bars: own }) => own.map(({ start, end }) => html`
          <tr><th scope="row">${name}</th><td>${start}</td><td>${end}</td></tr>`))}</tbody>
      </table></div>
    </figure>`;
}

/**
 * Returns a calendar of whole weeks or days that contains all bars.
 * @param {Bar[]} bars
 * @param {number} width in pixels
 */
function calendar(bars, width) {
  const first = Math.min(...bars.map((bar) => bar.from));
  const last = Math.max(...bars.map((bar) => bar.to));
  const isShort = last - first <= 14 * DAY;
  const step = isShort ? DAY : 7 * DAY;
  // January 1, 1970, was a Thursday, which is day 4 of a week that starts on Monday.
  const shift = isShort ? 0 : ((FIRST_DAY + 3) % 7) * DAY;
  const from = Math.floor((first - shift) / step) * step + shift;
  const to = Math.ceil((last - shift) / step) * step + shift;
  const number = Math.max(1, Math.round((to - from) / step));
  const every = Math.ceil(number / Math.max(1, Math.min(MOST_LABELS, Math.floor(width / LABEL))));
  // For long flights, show only some of the ticks.
  const thinned = Math.max(1, Math.ceil(number / 120));
  const ticks = Array.from({ length: number }, (_, n) => n).filter((n) => n % thinned === 0).map((n) => {
    const moment = from + n * step;
    const isNamed = n % every === 0 && (n === 0 || width * (1 - n / number) >= LABEL);
    return { moment, label: isNamed ? label(moment, n === 0 ? 0 : step * every) : '' };
  });
  return { from, to, ticks };
}

/**
 * Formats a tick's day. The first label in a new year includes the year.
 * @param {number} moment
 * @param {number} step the time since the previous label; 0 for the first label
 */
function label(moment, step) {
  const day = new Date(moment).toISOString();
  const isNewYear = step > 0 && day.slice(0, 4) !== new Date(moment - step).toISOString().slice(0, 4);
  return isNewYear ? date(day) : SHORT.format(moment);
}

/** Returns the locale's first day of the week, or Monday in browsers that don't provide it. */
function firstDayOfWeek() {
  const locale = /** @type {any} */ (new Intl.Locale(navigator.language));
  return /** @type {number} */ ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1);
}
