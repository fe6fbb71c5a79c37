// A control with its label, hint, error, and warning, connected for screen readers.

import { cloneElement } from 'preact';
import { html } from 'htm/preact';
import { useId } from 'preact/hooks';

/**
 * Shows a control with a label above it, and the hint, the error, and the warning below it.
 * @param {{label: string, hint?: string, error?: string | null, warning?: string | null,
 *   isRequired?: boolean, children: any}} props `children` is a single control
 */
export function Field({ label, hint, error, warning, isRequired, children }) {
  const id = useId();
  const notes = [hint && `${id}-hint`, error && `${id}-error`, warning && `${id}-warning`].filter(Boolean);
  const control = cloneElement(children, {
    id,
    'aria-required': isRequired ? 'true' : undefined,
    'aria-invalid': error ? 'true' : undefined,
    'aria-describedby': notes.join(' ') || undefined,
  });
  return html`
    <div class=${`field${error ? ' wrong' : ''}${isRequired ? ' required' : ''}`}>
      <label for=${id}>${label}</label>
      ${control}
      ${hint && html`<small id="${id}-hint">${hint}</small>`}
      ${error && html`<p id="${id}-error" class="error">${error}</p>`}
      ${warning && html`<p id="${id}-warning" class="warning">${warning}</p>`}
    </div>`;
}
