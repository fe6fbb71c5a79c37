// The lifetime of a key or grant, in days.

import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { DAY } from './days.js';
import { date } from './format.js';

const CHOICES = [7, 30, 90, 180, 365];

/** The maximum lifetime, in days. */
export const LONGEST = 365;

/**
 * Returns an error message for an invalid number of days; null if the number is valid.
 * @param {string} days as typed; empty for no expiry
 */
export function wrongDays(days) {
  const whole = days === '' || (/^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= LONGEST);
  return whole ? null : `Enter a whole number of days from 1 to ${LONGEST}.`;
}

/**
 * Shows a field for a number of days, with common choices and the resulting expiry date.
 * @param {{days: string, onChange: (days: string) => void, error: string | null, isRequired?: boolean}} props
 *   `days` is the number as typed; an empty string means no expiry, unless `isRequired`
 */
export function Lifetime({ days, onChange, error, isRequired = false }) {
  const id = useId();
  const ends = wrongDays(days) === null && days !== '' ? new Date(Date.now() + Number(days) * DAY) : null;
  const never = isRequired ? '' : 'Leave empty for no expiry. ';
  const end = ends ? `Expires on ${date(ends.toISOString())}.` : '';
  return html`
    <div class=${error ? 'field wrong' : 'field'}>
      <label for=${id}>Expires after (days)</label>
      <input id=${id} inputmode="numeric" list=${`${id}-days`} class="days" value=${days} autocomplete="off"
        aria-invalid=${error ? 'true' : undefined} aria-describedby=${`${id}-note`}
        onInput=${(/** @type {any} */ event) => onChange(event.target.value.trim())} />
      <datalist id=${`${id}-days`}>
        ${CHOICES.map((choice) => html`<option value=${choice}></option>`)}
      </datalist>
      <small id=${`${id}-note`} aria-live="polite">
        ${error ? html`<span class="error">${error}</span>` : never + end}
      </small>
    </div>`;
}
