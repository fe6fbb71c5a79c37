// After how many days something ends by itself.

import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { DAY } from './days.js';
import { date } from './format.js';

const CHOICES = [7, 30, 90, 180, 365];

/** The most days that the service takes. */
export const LONGEST = 365;

/**
 * Tells what is wrong with a number of days as it was typed.
 * @param {string} days empty for no end
 */
export function wrongDays(days) {
  const whole = days === '' || (/^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= LONGEST);
  return whole ? null : `Enter a whole number of days from 1 to ${LONGEST}.`;
}

/**
 * A field for days, with those that people mostly choose, and the day that they come to.
 * @param {{days: string, onChange: (days: string) => void, error: string | null, isRequired?: boolean}} props
 *   `days` as typed; empty means that it does not end, unless an end is required
 */
export function Lifetime({ days, onChange, error, isRequired = false }) {
  const id = useId();
  const ends = wrongDays(days) === null && days !== '' ? new Date(Date.now() + Number(days) * DAY) : null;
  const never = isRequired ? '' : 'Without a number it does not end by itself. ';
  const end = ends ? `Ends on ${date(ends.toISOString())}.` : '';
  return html`
    <div class=${error ? 'field wrong' : 'field'}>
      <label for=${id}>Ends after days</label>
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
