// The legend of the choropleth map. It's a list, so screen readers can read it.

import { html } from 'htm/preact';
import { count } from '../../ui/format.js';
import { methodOf } from './classes.js';

/**
 * Shows the classes, highest first.
 * @param {{classes: import('./classes.js').Class[], measure: import('./classes.js').Measure, one: string,
 *   many: string}} props
 */
export function Legend({ classes, measure, one, many }) {
  return html`
    <div class="classes">
      <h2>${measure === 'index' ? 'Index' : 'Share of residents'}</h2>
      <ul>
        ${classes.toReversed().map(({ token, words, areas }) => html`
          <li><span class=${`swatch ${token.slice(2)}`} aria-hidden="true"></span> ${words}
            <span class="soft">${' '}${count(areas, one, many)}</span></li>`)}
        <li><span class="swatch none" aria-hidden="true"></span> No data (such as Puerto Rico)</li>
      </ul>
      <p><small>${methodOf(measure, many)}</small></p>
    </div>`;
}
