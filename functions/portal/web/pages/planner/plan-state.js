// A status line for the plan: the last removal, which can be undone, and whether the browser has stored a
// draft.

import { html } from 'htm/preact';
import { base, discard, isFilled, isKept, removal } from './plan.js';

/** Shows the last removal and whether a draft is stored. Shows nothing for an empty plan. */
export function PlanState() {
  return html`
    <p class="plan-state" role="status">
      ${removal.value && html`
        ${removal.value.text}
        <button type="button" class="quiet" onClick=${removal.value.undo}>Undo</button>`}
      ${isFilled.value && html`
        <small>${isKept.value ? 'Draft kept in this browser.' : 'Not saved.'}</small>
        ${' '}<button type="button" class="quiet" onClick=${discard}>
          ${base.value ? 'Discard changes' : 'Discard draft'}</button>`}
    </p>`;
}
