// Fields for the flight of a campaign and the windows of its displays.

import { html } from 'htm/preact';
import { TextField } from './text-field.js';

/** @typedef {import('./violations.js').Notes} Notes */
/** @typedef {{start_date: string, end_date: string}} Days both days are included */

/**
 * Shows fields for the first and the last day of a flight.
 * @param {{flight: Days, onChange: (flight: Days) => void, notes: Notes}} props
 */
export function FlightFields({ flight, onChange, notes }) {
  const whole = notes.errorAt('/flight');
  return html`
    <div class="pair">
      <${TextField} label="First day" type="date" isRequired pointer="/flight/start_date" notes=${notes}
        value=${flight.start_date}
        onChange=${(/** @type {string} */ day) => onChange({ ...flight, start_date: day })} />
      <${TextField} label="Last day" type="date" isRequired pointer="/flight/end_date" notes=${notes}
        value=${flight.end_date}
        min=${flight.start_date || undefined}
        onChange=${(/** @type {string} */ day) => onChange({ ...flight, end_date: day })} />
    </div>
    ${whole && html`<p class="error">${whole}</p>`}`;
}

/**
 * Shows fields for the windows of displays that don't run for the entire flight.
 * @param {{name: string, windows: Days[], flight: Days, onChange: (windows: Days[]) => void,
 *   error?: string | null}} props `name` describes the displays
 */
export function WindowsField({ name, windows, flight, onChange, error }) {
  const change = (/** @type {number} */ n, /** @type {Partial<Days>} */ part) =>
    onChange(windows.map((window, i) => (i === n ? { ...window, ...part } : window)));
  return html`
    <fieldset class="windows">
      <legend>Windows for ${name}</legend>
      ${windows.length === 0 && html`<p><small>Runs for the entire flight.</small></p>`}
      ${windows.map((window, n) => html`
        <div class="window" key=${n}>
          <input type="date" aria-label=${`Window ${n + 1}, first day`} value=${window.start_date}
            aria-invalid=${error ? 'true' : undefined}
            onInput=${(/** @type {any} */ event) => change(n, { start_date: event.target.value })} />
          <span aria-hidden="true">–</span>
          <input type="date" aria-label=${`Window ${n + 1}, last day`} value=${window.end_date}
            aria-invalid=${error ? 'true' : undefined}
            onInput=${(/** @type {any} */ event) => change(n, { end_date: event.target.value })} />
          <button type="button" class="quiet" aria-label=${`Remove window ${n + 1}`}
            onClick=${() => onChange(windows.filter((_, i) => i !== n))}>×</button>
        </div>`)}
      <button type="button" onClick=${() => onChange([...windows, { ...flight }])}>Add a window</button>
      ${error && html`<p class="error">${error}</p>`}
    </fieldset>`;
}
