// The content of map popups: displays and places at a point, or a cluster.

import { html } from 'htm/preact';
import { number } from '../ui/format.js';
import { nameOf } from './found-features.js';

/** @typedef {import('./found-features.js').Found} Found */

/** The maximum number of items in a popup. To see more, people zoom in. */
const SHOWN = 50;

/**
 * Shows the displays and places at a point.
 * @param {{singles: Found[], action?: (single: Found) => any}} props `action` renders the button of an item
 */
export function AboutSingles({ singles, action }) {
  const more = singles.length - SHOWN;
  return html`
    <div class="about">
      ${singles.length > 1 && html`<p class="soft">${number(singles.length)} at this point</p>`}
      ${singles.slice(0, SHOWN).map((single) => html`
        <section key=${single.key}>
          <h3>${single.kind === 'places' ? nameOf(single) : `Display ${single.properties.spot_id}`}</h3>
          <dl>${factsOf(single).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
          ${action?.(single)}
        </section>`)}
      ${more > 0 && html`<p>${number(more)} more here. Zoom in to separate them.</p>`}
    </div>`;
}

/**
 * Shows the size of a cluster, and explains that a click zooms in.
 * @param {{cluster: Found}} props
 */
export function AboutCluster({ cluster }) {
  return html`<p>${nameOf(cluster)}. Click to zoom in.</p>`;
}

/**
 * @param {Found} found
 * @returns {[string, string][]}
 */
function factsOf({ kind, properties }) {
  const { digital, media_type, operator, dma, type, place_id } = properties;
  const style = digital === undefined ? undefined : digital ? 'digital' : 'static';
  const facts = kind === 'displays'
    ? [['Media type', media_type], ['Format', style], ['Media owner', operator], ['Market', dma]]
    : [['Type', type], ['Place ID', place_id]];
  return /** @type {[string, string][]} */ (facts.filter(([, value]) => value));
}
