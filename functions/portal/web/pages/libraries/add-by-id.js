// A field that adds a display or place to a form by its ID. The planners offer a search instead.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.js';

/**
 * Shows a field for an ID and a button that adds it. `known` lists the IDs that are already in the form;
 * `isId` returns whether a string has the format of the IDs.
 * @param {{label: string, known: string[], error: string | null, isId: (id: string) => boolean,
 *   onAdd: (id: string) => void}} props
 */
export function AddById({ label, known, error, isId, onAdd }) {
  const [id, setId] = useState('');
  const [fault, setFault] = useState('');
  const add = () => {
    const given = id.trim();
    if (given === '') return setFault('Enter an ID.');
    if (!isId(given)) return setFault(`“${given}” isn’t an ID. Enter one number.`);
    if (known.includes(given)) return setFault('This ID is already in the list.');
    setFault('');
    setId('');
    onAdd(given);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return html`
    <div class="add">
      <${Field} label=${label} error=${fault || error}>
        <input value=${id} inputMode="numeric" onKeyDown=${press}
          onInput=${(/** @type {any} */ event) => setId(event.target.value)} />
      <//>
      <button type="button" onClick=${add}>Add</button>
    </div>`;
}
