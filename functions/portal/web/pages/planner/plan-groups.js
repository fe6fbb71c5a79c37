// The displays of the plan, grouped by market, with the windows of each market.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { WindowsField } from '../../scenario/flight-fields.js';
import { number } from '../../ui/format.js';
import { displays } from './display.js';
import { DisplayList } from './display-list.js';
import { base, chosen, drop, form, groups, windows } from './plan.js';

/** @typedef {import('./display.js').Display} Display */
/** @typedef {import('../../scenario/flight-fields.js').Days} Days */
/** @typedef {import('../../scenario/violations.js').Notes} Notes */

/**
 * Shows a group for each market of the plan.
 * @param {{notes: Notes, sent: number[]}} props `sent` lists the display IDs of the spots that `notes`
 *   refers to, in the order of the spots
 */
export function PlanGroups({ notes, sent }) {
  const wrong = notes.errorAt('/spots');
  if (chosen.value.size === 0) {
    return html`
      <p class="soft">No displays yet. Select them in the list or on the map.</p>
      ${wrong && html`<p class="error">${wrong}</p>`}`;
  }
  const position = new Map(sent.map((id, n) => [id, n]));
  const at = (/** @type {number} */ id, /** @type {string} */ below = '') =>
    position.has(id) ? notes.errorAt(`/spots/${position.get(id)}${below}`) : null;
  return html`
    ${wrong && html`<p class="error">${wrong}</p>`}
    <ul class="groups" aria-label="Selected by market">
      ${groups.value.map(([market, of]) => html`
        <${Group} key=${market} market=${market} of=${of} noteAt=${at} />`)}
    </ul>`;
}

/**
 * @param {{market: string, of: Display[], noteAt: (id: number, below?: string) => string | null}} props
 */
function Group({ market, of, noteAt }) {
  const [isOpen, setIsOpen] = useState(false);
  const name = market || 'Unknown market';
  const wrong = of.filter(({ id }) => noteAt(id)).length;
  const error = of.map(({ id }) => noteAt(id, '/windows')).find(Boolean) ?? null;
  const setWindows = (/** @type {Days[]} */ next) => {
    windows.value = { ...windows.value, [market]: next };
  };
  const isFaulty = wrong > 0 || error !== null;
  useEffect(() => {
    if (isFaulty) setIsOpen(true);
  }, [isFaulty]);
  return html`
    <li>
      <div class="group">
        <button type="button" class="quiet" aria-expanded=${isOpen} onClick=${() => setIsOpen(!isOpen)}>
          <span aria-hidden="true">${isOpen ? '▾' : '▸'}</span> ${name} <b>${number(of.length)}</b>
          ${isFaulty && html`<span class="error"> – needs changes</span>`}
        </button>
        <button type="button" class="quiet"
          aria-label=${`Remove ${displays(of.length)} in ${name} from the plan`}
          onClick=${() => drop(of)}>×</button>
      </div>
      ${isOpen && html`
        <${DisplayList} label=${`Selected in ${name}`} displays=${of} noteAt=${noteAt} />
        ${!base.value && html`
          <${WindowsField} name=${name} windows=${windows.value[market] ?? []} flight=${form.value.flight}
            error=${error} onChange=${setWindows} />`}`}
    </li>`;
}
