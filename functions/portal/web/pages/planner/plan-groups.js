// The displays of the plan by group, with the windows of each group.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { WindowsField } from '../../scenario/flight-fields.js';
import { number } from '../../ui/format.js';
import { displays } from './display.js';
import { DisplayList } from './display-list.js';
import { GroupFields, MoveField, NewGroup } from './group-fields.js';
import { base, chosen, drop, form, groups, windows } from './plan.js';

/** @typedef {import('./groups.js').Group} PlanGroup */
/** @typedef {import('../../scenario/flight-fields.js').Days} Days */
/** @typedef {import('../../scenario/violations.js').Notes} Notes */

/**
 * Shows the groups of the plan. For a saved campaign, only groups that the person has created have windows.
 * @param {{notes: Notes, sent: number[]}} props `sent` lists the display IDs of the spots that `notes`
 *   refers to, in the same order
 */
export function PlanGroups({ notes, sent }) {
  const wrong = notes.errorAt('/spots');
  const position = new Map(sent.map((id, n) => [id, n]));
  const at = (/** @type {number} */ id, /** @type {string} */ below = '') =>
    position.has(id) ? notes.errorAt(`/spots/${position.get(id)}${below}`) : null;
  return html`
    ${chosen.value.size === 0 && html`
      <p class="soft">No displays yet. Select them in the list or on the map.</p>`}
    ${wrong && html`<p class="error">${wrong}</p>`}
    ${groups.value.length > 0 && html`
      <ul class="groups" aria-label="Selected by group">
        ${groups.value.map((group) => html`<${Group} key=${group.key} group=${group} noteAt=${at} />`)}
      </ul>`}
    <${NewGroup} />`;
}

/**
 * @param {{group: PlanGroup, noteAt: (id: number, below?: string) => string | null}} props
 */
function Group({ group, noteAt }) {
  const { key, name, color, displays: of } = group;
  const [isOpen, setIsOpen] = useState(color !== null && of.length === 0);
  const wrong = of.filter(({ id }) => noteAt(id)).length;
  const error = of.map(({ id }) => noteAt(id, '/windows')).find(Boolean) ?? null;
  const setWindows = (/** @type {Days[]} */ next) => {
    windows.value = { ...windows.value, [key]: next };
  };
  const isFaulty = wrong > 0 || error !== null;
  useEffect(() => {
    if (isFaulty) setIsOpen(true);
  }, [isFaulty]);
  return html`
    <li>
      <div class="group">
        <button type="button" class="quiet" aria-expanded=${isOpen} onClick=${() => setIsOpen(!isOpen)}>
          <span aria-hidden="true">${isOpen ? '▾' : '▸'}</span>${' '}
          ${color !== null && html`<span class=${`swatch color-${color}`} aria-hidden="true"></span>`}
          ${name || 'Unnamed group'} <b>${number(of.length)}</b>
          ${isFaulty && html`<span class="error"> – needs changes</span>`}
        </button>
        ${of.length > 0 && html`
          <button type="button" class="quiet"
            aria-label=${`Remove ${displays(of.length)} in ${name} from the plan`}
            onClick=${() => drop(of)}>×</button>`}
      </div>
      ${isOpen && html`
        ${color !== null && html`<${GroupFields} group=${group} />`}
        ${of.length > 0 && html`
          <${DisplayList} label=${`Selected in ${name}`} displays=${of} noteAt=${noteAt} />`}
        <${MoveField} group=${group} />
        ${(color !== null || !base.value) && html`
          <${WindowsField} name=${name} windows=${windows.value[key] ?? []} flight=${form.value.flight}
            error=${error} onChange=${setWindows} />`}`}
    </li>`;
}
