// The lifetime of a key, a tile grant, or a client link, in days.

import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { DAY } from './days.js';
import { date } from './format.js';

const CHOICES = [7, 30, 90, 180, 365];

/** The maximum lifetime of keys and grants, in days. */
export const LONGEST = 365;

/**
 * Returns an error message for an invalid number of days; null if the number is valid.
 * @param {string} days as typed; empty for no expiry
 * @param {number} [longest] the maximum
 * @param {boolean} [isRequired] whether an empty string is invalid
 */
export function wrongDays(days, longest = LONGEST, isRequired = false) {
  const isWhole = /^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= longest;
  return isWhole || (days === '' && !isRequired) ? null : `Enter a whole number of days from 1 to ${longest}.`;
}

/**
 * Shows a field for a number of days, with common choices and the resulting expiry date.
 * @param {{days: string, onChange: (days: string) => void, error: string | null, isRequired?: boolean,
 *   longest?: number}} props
 *   `days` is the number as typed; an empty string means no expiry, unless `isRequired`
 */
export function Lifetime({ days, onChange, error, isRequired = false, longest = LONGEST }) {
  const id = useId();
  const isDated = wrongDays(days, longest, true) === null;
  const ends = isDated ? new Date(Date.now() + Number(days) * DAY) : null;
  const never = isRequired ? '' : 'Leave empty for no expiry. ';
  const end = ends ? `Expires on ${date(ends.toISOString())}.` : '';
  return html`
    <div class=${error ? 'field wrong' : 'field'}>
      <label for=${id}>Expires after (days)</label>
      <input id=${id} inputmode="numeric" list=${`${id}-days`} class="days" value=${days} autocomplete="off"
        aria-invalid=${error ? 'true' : undefined} aria-describedby=${`${id}-note`}
        onInput=${(/** @type {any} */ event) => onChange(event.target.value.trim())} />
      <datalist id=${`${id}-days`}>
        ${CHOICES.filter((choice) => choice <= longest).map((choice) => html`
          <option value=${choice}></option>`)}
      </datalist>
      <small id=${`${id}-note`} aria-live="polite">
        ${error ? html`<span class="error">${error}</span>` : never + end}
      </small>
    </div>`;
}
