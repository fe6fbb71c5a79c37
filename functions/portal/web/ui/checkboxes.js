// A group of checkboxes. At least one must be checked.

import { html } from 'htm/preact';
import { useId } from 'preact/hooks';

/**
 * Shows a checkbox for each option.
 * @template {string} T
 * @param {{legend: string, options: {value: T, name: unknown, about?: string}[], chosen: T[],
 *   onChange: (chosen: T[]) => void, error: string | null}} props `onChange` receives the checked values in
 *   the order of the options
 */
export function Checkboxes({ legend, options, chosen, onChange, error }) {
  const errorId = useId();
  const toggle = (/** @type {T} */ toggled) => {
    const values = options.map(({ value }) => value);
    onChange(values.filter((value) => chosen.includes(value) !== (value === toggled)));
  };
  return html`
    <fieldset class="checkboxes">
      <legend>${legend}</legend>
      ${options.map(({ value, name, about }, n) => html`
        <label>
          <input type="checkbox" checked=${chosen.includes(value)} onChange=${() => toggle(value)}
            aria-invalid=${error && n === 0 ? 'true' : undefined}
            aria-describedby=${error ? errorId : undefined} />
          <span>${name} <small>${about}</small></span>
        </label>`)}
      ${error && html`<p id=${errorId} class="error">${error}</p>`}
    </fieldset>`;
}
