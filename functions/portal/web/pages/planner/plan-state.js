// The state of the plan: the last change that can be undone, and whether the browser has stored a draft.

import { html } from 'htm/preact';
import { base, discard, isFilled, isKept, lastChange } from './plan.js';

/** Shows the last change that can be undone, and the draft. Shows nothing for an empty plan. */
export function PlanState() {
  return html`
    <p class="plan-state" role="status">
      ${lastChange.value && html`
        ${lastChange.value.text}
        <button type="button" class="quiet" onClick=${lastChange.value.undo}>Undo</button>`}
      ${isFilled.value && html`
        <small>${isKept.value ? 'Draft kept in this browser.' : 'Not saved.'}</small>
        ${' '}<button type="button" class="quiet" onClick=${discard}>
          ${base.value ? 'Discard changes' : 'Discard draft'}</button>`}
    </p>`;
}
