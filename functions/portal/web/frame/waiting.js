// The notice that is shown while calls wait for a call limit to reset.

import { html } from 'htm/preact';
import { secondsLeft, stopWaiting } from '../api/waiting.js';
import { count } from '../ui/format.js';

/** Shows how much longer calls will wait, and a button that stops the wait. */
export function Waiting() {
  const isWaiting = secondsLeft.value > 0;
  return html`
    <section class=${isWaiting ? 'waiting open' : 'waiting'} aria-label="Call limit">
      <p role="status">${isWaiting && 'You’ve reached the call limit for this minute.'}</p>
      ${isWaiting && html`
        <p>Continues in ${count(secondsLeft.value, 'second')}.</p>
        <button type="button" onClick=${stopWaiting}>Stop waiting</button>`}
    </section>`;
}
