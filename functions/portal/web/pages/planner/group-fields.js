// The fields for creating groups and for moving displays to them.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.js';
import { displays, titleOf } from './display.js';
import { COLORS, addGroup, changeGroup, ownGroups, target } from './groups.js';
import { chosen, move, removeGroup, selected } from './plan.js';

/** @typedef {import('./groups.js').Group} Group */

/** Shows a button that creates a group, and a field for the group that newly added displays are put in. */
export function NewGroup() {
  return html`
    <div class="new-group">
      <button type="button" onClick=${addGroup}>New group</button>
      ${ownGroups.value.length > 0 && html`
        <${Field} label="Add displays to" hint="Displays that you add again move to this group.">
          <${GroupChoice} market="Their market" value=${target.value}
            onChange=${(/** @type {string} */ key) => { target.value = key; }} />
        <//>`}
    </div>`;
}

/**
 * Shows the name and the color of a group that the person has created, and a button that deletes it.
 * @param {{group: Group}} props
 */
export function GroupFields({ group: { key, name, color } }) {
  return html`
    <div class="pair">
      <${Field} label="Group name">
        <input value=${name} onInput=${(/** @type {any} */ event) =>
          changeGroup(key, { name: event.target.value })} />
      <//>
      <${Field} label="Color">
        <select value=${color} onChange=${(/** @type {any} */ event) =>
          changeGroup(key, { color: Number(event.target.value) })}>
          ${COLORS.map((text, n) => html`<option value=${n + 1}>${text}</option>`)}
        </select>
      <//>
    </div>
    <button type="button" onClick=${() => removeGroup(key)}>Delete group</button>`;
}

/**
 * Shows buttons that move all displays of a group, or only the selected one, to another group.
 * @param {{group: Group}} props
 */
export function MoveField({ group }) {
  const [to, setTo] = useState('');
  const others = ownGroups.value.filter(({ key }) => key !== group.key);
  const isOwn = group.color !== null;
  if (group.displays.length === 0 || (others.length === 0 && !isOwn)) return null;
  const goal = others.some(({ key }) => key === to) ? to : isOwn ? '' : others[0].key;
  const one = selected.value && chosen.value.has(selected.value.id)
    && group.displays.find(({ id }) => id === selected.value?.id);
  return html`
    <div class="move" role="group" aria-label="Move displays">
      <${Field} label="Move to">
        <${GroupChoice} market=${isOwn ? 'Their market' : null} without=${group.key} value=${goal}
          onChange=${setTo} />
      <//>
      <button type="button" onClick=${() => move(group.displays, goal)}>
        Move ${displays(group.displays.length)}</button>
      ${one && group.displays.length > 1 && html`
        <button type="button" onClick=${() => move([one], goal)}>Move ${titleOf(one)}</button>`}
    </div>`;
}

/**
 * @param {{market: string | null, without?: string, value: string, onChange: (key: string) => void}} props
 * `market` is the label of the option for the displays' markets; null without this option. The other props
 * are the ones that a `Field` sets on its control.
 */
function GroupChoice({ market, without, value, onChange, ...field }) {
  const others = ownGroups.value.filter(({ key }) => key !== without);
  return html`
    <select ...${field} value=${value} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
      ${market !== null && html`<option value="">${market}</option>`}
      ${others.map(({ key, name }) => html`<option value=${key}>${name || 'Unnamed group'}</option>`)}
    </select>`;
}
