// Radio buttons that look like a segmented control.

import { html } from 'htm/preact';
import { useId } from 'preact/hooks';

/**
 * Shows radio buttons for a few options.
 * @param {{label: string, options: {value: string, name: string}[], value: string,
 *   onChange: (value: any) => void, isLabelShown?: boolean}} props
 */
export function Choice({ label, options, value, onChange, isLabelShown = false }) {
  const name = useId();
  return html`
    <fieldset class="choice">
      <legend class=${isLabelShown ? '' : 'hidden'}>${label}</legend>
      <div class="options">
        ${options.map((option) => html`
          <label class=${option.value === value ? 'is-chosen' : ''}>
            <input type="radio" name=${name} value=${option.value} checked=${option.value === value}
              onChange=${() => onChange(option.value)} />
            ${option.name}
          </label>`)}
      </div>
    </fieldset>`;
}
