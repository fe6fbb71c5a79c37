// What the colours stand for, as a list that can be read aloud.

import { html } from 'htm/preact';
import { count } from '../../ui/format.js';
import { methodOf } from './classes.js';

/**
 * Shows the classes from the highest down.
 * @param {{classes: import('./classes.js').Class[], measure: import('./classes.js').Measure, one: string,
 *   many: string}} props
 */
export function Legend({ classes, measure, one, many }) {
  return html`
    <div class="classes">
      <h2>${measure === 'index' ? 'Index' : 'Share of the people who live there'}</h2>
      <ul>
        ${classes.toReversed().map(({ token, words, areas }) => html`
          <li><span class=${`swatch ${token.slice(2)}`} aria-hidden="true"></span> ${words}
            <span class="soft">${' '}${count(areas, one, many)}</span></li>`)}
        <li><span class="swatch none" aria-hidden="true"></span> nobody is counted, as in Puerto Rico</li>
      </ul>
      <p><small>${methodOf(measure, many)}</small></p>
    </div>`;
}
