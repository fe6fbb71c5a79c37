// A step on the page of first steps.

import { html } from 'htm/preact';

/**
 * Shows a step and marks it as done, current, or upcoming.
 * @param {{title: string, isDone?: boolean, isNow?: boolean, children?: any}} props
 */
export function Step({ title, isDone = false, isNow = false, children }) {
  const state = isDone ? 'done' : isNow ? 'now' : 'later';
  return html`
    <li class=${`step ${state}`} aria-current=${isNow ? 'step' : undefined}>
      <h2>${title} ${isDone && html`<span class="badge completed">Done</span>`}</h2>
      ${children}
    </li>`;
}
