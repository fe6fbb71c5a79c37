// What a popup of a map says: of the displays and places at one point, or of a cluster.

import { html } from 'htm/preact';
import { number } from '../ui/format.js';
import { nameOf } from './found-features.js';

/** @typedef {import('./found-features.js').Found} Found */

/** So many are told about at one point; the others are counted, and lie apart once the map is nearer. */
const SHOWN = 50;

/**
 * Tells about what lies at one point.
 * @param {{singles: Found[], action?: (single: Found) => any}} props `action` makes what is below each one
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
      ${more > 0 && html`<p>and ${number(more)} more here: zoom in to tell them apart</p>`}
    </div>`;
}

/**
 * Says how many a cluster stands for, and how to see them.
 * @param {{cluster: Found}} props
 */
export function AboutCluster({ cluster }) {
  return html`<p>${nameOf(cluster)}; click to zoom in</p>`;
}

/**
 * @param {Found} found
 * @returns {[string, string][]}
 */
function factsOf({ kind, properties }) {
  const { digital, media_type, operator, dma, type, weekly_visits, place_id } = properties;
  const style = digital === undefined ? undefined : digital ? 'digital' : 'static';
  const facts = kind === 'displays'
    ? [['Media type', media_type], ['Kind', style], ['Operator', operator], ['Market', dma]]
    : [['Type', type], ['Weekly visits', weekly_visits && number(weekly_visits)], ['Place id', place_id]];
  return /** @type {[string, string][]} */ (facts.filter(([, value]) => value));
}
