// A field that adds displays or places to a form by their IDs. The planners offer a search instead.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.js';

/**
 * Shows a field for IDs and a button that adds them. `known` lists the IDs that are already in the form;
 * `isId` returns whether a string is a well-formed ID.
 * @param {{label: string, known: string[], error: string | null, isId: (id: string) => boolean,
 *   onAdd: (ids: string[]) => void}} props
 */
export function AddById({ label, known, error, isId, onAdd }) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const add = () => {
    const given = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
    const wrong = given.find((id) => !isId(id));
    const added = given.filter((id) => !known.includes(id));
    if (given.length === 0) return setFault('Enter an ID.');
    if (wrong !== undefined) return setFault(`“${wrong}” isn’t an ID. IDs are numbers.`);
    if (added.length === 0) return setFault('Already in the list.');
    setFault('');
    setText('');
    onAdd(added);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return html`
    <div class="add">
      <${Field} label=${label} hint="One or more, separated by spaces or commas." error=${fault || error}>
        <input value=${text} onKeyDown=${press}
          onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
      <//>
      <button type="button" onClick=${add}>Add</button>
    </div>`;
}
