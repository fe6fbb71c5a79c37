// The form that places are searched with: names, areas, and a circle or the map's own view.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { costOf } from '../../api/limits.js';
import { Field } from '../../ui/field.js';
import { number } from '../../ui/format.js';
import { faultsOf, SORTS, TEXTS } from './filter.js';
import { usePlaceTypes } from './place-types.js';

/** @typedef {import('./filter.js').Asked} Asked */

/** The fields that stand open; the others lie below `More filters`. */
const FIRST = ['name', 'city', 'state'];

/**
 * Takes what somebody looks for.
 * @param {{asked: Asked, onSearch: (asked: Asked) => void, error: Error | null, viewOf: () => string | null,
 *   picking: {isOn: boolean, start: () => void, picked: string | null}}} props `viewOf` names the area that the
 *   map shows; `picking` takes a point from the map
 */
export function SearchForm({ asked, onSearch, error, viewOf, picking }) {
  const [typed, setTyped] = useState(asked);
  const [faults, setFaults] = useState(/** @type {Record<string, string>} */ ({}));
  useEffect(() => setTyped(asked), [JSON.stringify(asked)]);
  useEffect(() => {
    if (picking.picked) setTyped((before) => ({ ...before, near: picking.picked ?? '', area: '' }));
  }, [picking.picked]);
  const set = (/** @type {string} */ name) => (/** @type {any} */ event) =>
    setTyped((before) => ({ ...before, [name]: event.target.value }));
  const search = (/** @type {Partial<Asked>} */ change = {}) => {
    const wanted = /** @type {Asked} */ ({ ...typed, page: '', ...change });
    const found = faultsOf(wanted);
    setFaults(found);
    if (Object.keys(found).length === 0) onSearch(wanted);
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    search();
  };
  const errors = { ...faults, ...violations(error) };
  const others = TEXTS.filter(({ name }) => !FIRST.includes(name));
  const isOpen = others.some(({ name }) => asked[name] || errors[name]) || Boolean(asked.near || errors.near);
  return html`
    <form class="search-form" onSubmit=${submit} role="search" aria-label="Places">
      ${TEXTS.filter(({ name }) => FIRST.includes(name)).map((text) => html`
        <${Text} text=${text} value=${typed[text.name]} error=${errors[text.name]} onInput=${set(text.name)} />`)}
      <${Type} value=${typed.type} error=${errors.type} onInput=${set('type')} />
      <details open=${isOpen}>
        <summary>More filters</summary>
        ${others.map((text) => html`
          <${Text} text=${text} value=${typed[text.name]} error=${errors[text.name]} onInput=${set(text.name)} />`)}
        <${Circle} typed=${typed} errors=${errors} set=${set} picking=${picking} />
      </details>
      <${Field} label="Order" error=${errors.sort}>
        <select value=${typed.sort || 'name'} onInput=${set('sort')}>
          ${Object.entries(SORTS).map(([name, { title }]) => html`<option value=${name}>${title}</option>`)}
        </select>
      <//>
      ${typed.area && html`
        <p class="chip">Within the area of the map
          <button type="button" class="quiet" onClick=${() => setTyped({ ...typed, area: '' })}>Everywhere</button>
        </p>`}
      <div class="actions">
        <button type="button" onClick=${() => search({ area: viewOf() ?? '', near: '' })}>
          In this map view · ${costOf('search_places')}
        </button>
        <button class="primary">Search · ${costOf('search_places')}</button>
      </div>
    </form>`;
}

/**
 * @param {{text: {name: string, label: string, hint?: string}, value: string, error?: string,
 *   onInput: (event: any) => void}} props
 */
function Text({ text, value, error, onInput }) {
  return html`
    <${Field} label=${text.label} hint=${text.hint} error=${error}>
      <input name=${text.name} value=${value} onInput=${onInput} maxlength="200" autocomplete="off" />
    <//>`;
}

/** @param {{value: string, error?: string, onInput: (event: any) => void}} props */
function Type({ value, error, onInput }) {
  const types = usePlaceTypes();
  const isUnknown = value && !types.some(({ place_type_name: name }) => name === value);
  return html`
    <${Field} label="Type" error=${error}>
      <select name="type" value=${value} onInput=${onInput}>
        <option value="">All types</option>
        ${isUnknown && html`<option value=${value}>${value}</option>`}
        ${types.map(({ place_type_name: name, count }) => html`
          <option value=${name}>${name} (${number(count)})</option>`)}
      </select>
    <//>`;
}

/**
 * @param {{typed: Asked, errors: Record<string, string>, set: (name: string) => (event: any) => void,
 *   picking: {isOn: boolean, start: () => void}}} props
 */
function Circle({ typed, errors, set, picking }) {
  return html`
    <${Field} label="Near" error=${errors.near} hint="Latitude, longitude.">
      <input name="near" value=${typed.near} onInput=${set('near')} placeholder="40.758, -73.9855" autocomplete="off" />
    <//>
    <button type="button" aria-pressed=${picking.isOn} onClick=${picking.start}>
      ${picking.isOn ? 'Click a point on the map' : 'Pick it on the map'}
    </button>
    <${Field} label="Within, miles" error=${errors.within}>
      <input name="within" value=${typed.within} onInput=${set('within')} inputmode="decimal" placeholder="5" />
    <//>`;
}

/**
 * Puts what the service refuses at the fields it is about.
 * @param {Error | null} error
 * @returns {Record<string, string>}
 */
function violations(error) {
  const found = /** @type {import('../../api/errors.js').ApiError | null} */ (error)?.violations ?? [];
  const names = new Map(TEXTS.map(({ name, member }) => [/** @type {string} */ (member), /** @type {string} */ (name)]));
  names.set('place_type_name', 'type').set('geo_distance', 'near').set('sort', 'sort');
  return Object.fromEntries(found.map(({ pointer, detail }) => {
    const member = pointer.split('/').slice(1).find((part) => names.has(part)) ?? pointer;
    return [names.get(member) ?? member, detail];
  }));
}
