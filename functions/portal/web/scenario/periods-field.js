// Fields for the periods of an event and their time zone.

import { html } from 'htm/preact';
import { TextField } from './text-field.js';
import { ZONES } from './zone.js';

/** @typedef {import('./event-form.js').PeriodDraft} PeriodDraft */
/** @typedef {import('./violations.js').Notes} Notes */

/**
 * Shows fields for the time zone and the periods.
 * @param {{periods: PeriodDraft[], timezone: string, notes: Notes,
 *   onChange: (part: {periods?: PeriodDraft[], timezone?: string}) => void}} props
 */
export function PeriodsField({ periods, timezone, onChange, notes }) {
  const change = (/** @type {number} */ n, /** @type {Partial<PeriodDraft>} */ part) =>
    onChange({ periods: periods.map((period, i) => (i === n ? { ...period, ...part } : period)) });
  const add = () => {
    const { start_time = '', end_time = '' } = periods.at(-1) ?? {};
    const added = { period_name: `Period ${periods.length + 1}`, start_time, end_time };
    onChange({ periods: [...periods, added] });
  };
  const whole = notes.errorAt('/periods');
  return html`
    <${TextField} label="Time zone" isRequired pointer="/timezone" notes=${notes} value=${timezone}
      list="zones" hint="Applies to all periods. Filled in from the first place."
      onChange=${(/** @type {string} */ zone) => onChange({ timezone: zone })} />
    <datalist id="zones">${ZONES.map((zone) => html`<option value=${zone} />`)}</datalist>
    ${periods.map((period, n) => html`
      <${PeriodFields} key=${n} n=${n} period=${period} notes=${notes}
        onChange=${(/** @type {Partial<PeriodDraft>} */ part) => change(n, part)}
        onRemove=${() => onChange({ periods: periods.filter((_, i) => i !== n) })} />`)}
    <button type="button" data-wrong=${whole ? '' : undefined} onClick=${add}>Add a period</button>
    ${whole && html`<p class="error">${whole}</p>`}`;
}

/**
 * @param {{n: number, period: PeriodDraft, notes: Notes, onChange: (part: Partial<PeriodDraft>) => void,
 *   onRemove: () => void}} props
 */
function PeriodFields({ n, period, notes, onChange, onRemove }) {
  const error = notes.errorAt(`/periods/${n}`);
  return html`
    <fieldset class="period">
      <legend>Period ${n + 1}</legend>
      <${TextField} label="Name" pointer=${`/periods/${n}/period_name`} notes=${notes}
        value=${period.period_name}
        onChange=${(/** @type {string} */ text) => onChange({ period_name: text })} />
      <div class="pair">
        <${TextField} label="Starts" isRequired type="datetime-local" pointer=${`/periods/${n}/start_time`}
          notes=${notes}
          value=${period.start_time}
          onChange=${(/** @type {string} */ clock) => onChange({ start_time: clock })} />
        <${TextField} label="Ends" isRequired type="datetime-local" pointer=${`/periods/${n}/end_time`}
          notes=${notes} value=${period.end_time}
          onChange=${(/** @type {string} */ clock) => onChange({ end_time: clock })} />
      </div>
      ${error && html`<p class="error">${error}</p>`}
      <button type="button" aria-label=${`Remove period ${n + 1}`} onClick=${onRemove}>Remove</button>
    </fieldset>`;
}
