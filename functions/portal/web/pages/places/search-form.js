// The form of a place search: text filters, place type, sort order, and area.

import { html } from 'htm/preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { costOf } from '../../api/limits.js';
import { useList } from '../../api/use-list.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { number } from '../../ui/format.js';
import { areaOf, askedArea, faultsOf, queryOf, SORTS, TEXTS } from './filter.js';

/** @typedef {import('./filter.js').Area} Area */
/** @typedef {import('./filter.js').Asked} Asked */

/** The text filters that are always visible. The others are under "More filters". */
const FIRST = ['name', 'brand', 'address', 'city', 'state'];
const OTHERS = TEXTS.filter(({ name }) => !FIRST.includes(name));

/**
 * Shows the form and its errors.
 * @param {{asked: Asked, onSearch: (asked: Asked) => void, error: Error | null, retry: () => void,
 *   viewOf: () => Area | null, drawn: Area | null}} props `viewOf` returns the visible part of the map;
 *   `drawn` is an area that was drawn after the last search
 */
export function SearchForm({ asked, onSearch, error, retry, viewOf, drawn }) {
  const { typed, change, set } = useTyped(asked, drawn);
  const [faults, setFaults] = useState(/** @type {Record<string, string>} */ ({}));
  const search = (/** @type {Partial<Asked>} */ part) => {
    const wanted = /** @type {Asked} */ ({ ...typed, page: '', ...part });
    const found = faultsOf(wanted);
    setFaults(found);
    if (Object.keys(found).length === 0) onSearch(wanted);
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    search({});
  };
  const searchIn = (/** @type {Area | null} */ view) => view && search(askedArea(view));
  const refused = violations(error);
  const errors = { ...faults, ...refused };
  // The chip below shows the area, so an area opens "More filters" only if its fields have errors.
  const isWrong = Boolean(errors.near || errors.within);
  const isOpen = isWrong || OTHERS.some(({ name }) => asked[name] || errors[name]);
  const text = (/** @type {typeof TEXTS[number]} */ one) => html`
    <${one.name === 'brand' ? Brand : Text} text=${one} value=${typed[one.name]} error=${errors[one.name]} onInput=${set(one.name)} />`;
  return html`
    <form class="search-form" onSubmit=${submit} role="search" aria-label="Places" novalidate>
      ${TEXTS.filter(({ name }) => FIRST.includes(name)).map(text)}
      <${Type} value=${typed.type} error=${errors.type} onInput=${set('type')} />
      <${Order} value=${typed.sort} error=${errors.sort} onInput=${set('sort')} />
      <details open=${isOpen}>
        <summary>More filters</summary>
        <div class="search-form">
          ${OTHERS.map(text)}<${Circle} typed=${typed} errors=${errors} set=${set} />
        </div>
      </details>
      <${AreaChip} area=${areaOf(typed)} onClear=${() => change({ near: '', within: '', area: '' })} />
      <${Actions} onView=${() => searchIn(viewOf())} />
      <${Failure} error=${error} retry=${retry} />
    </form>`;
}

/**
 * Keeps the filters as typed. Another search replaces all of them, and drawing an area replaces only the
 * area.
 * @param {Asked} asked
 * @param {Area | null} drawn
 */
function useTyped(asked, drawn) {
  const [typed, setTyped] = useState(asked);
  const change = (/** @type {Partial<Asked>} */ part) =>
    setTyped((before) => /** @type {Asked} */ ({ ...before, ...part }));
  // Keep the typed filters when another page of the same search is opened.
  useEffect(() => setTyped(asked), [queryOf({ ...asked, page: '' })]);
  useEffect(() => {
    if (drawn) change(askedArea(drawn));
  }, [drawn]);
  const set = (/** @type {string} */ name) => (/** @type {any} */ event) =>
    change({ [name]: event.target.value });
  return { typed, change, set };
}

/** @typedef {{name: string, label: string, hint?: string}} Filter */

/**
 * @param {{text: Filter, value: string, error?: string, onInput: (event: any) => void, onFocus?: () => void,
 *   list?: string}} props
 */
function Text({ text, error, ...input }) {
  return html`
    <${Field} label=${text.label} hint=${text.hint} error=${error}>
      <input ...${input} name=${text.name} autocomplete="off" />
    <//>`;
}

/**
 * Shows the brand field. Focusing it loads the suggestions, which is free.
 * @param {Parameters<typeof Text>[0]} props
 */
function Brand(props) {
  const [isUsed, setIsUsed] = useState(false);
  const { items } = useList('list_place_brands', isUsed);
  const id = useId();
  return html`
    <${Text} ...${props} onFocus=${() => setIsUsed(true)} list=${items.length > 0 ? id : undefined} />
    <datalist id=${id}>${items.map(({ brand }) => html`<option value=${brand}></option>`)}</datalist>`;
}

/** @param {{value: string, error?: string, onInput: (event: any) => void}} props */
function Type({ value, error, onInput }) {
  const { items: types, error: unread, retry } = useList('list_place_types');
  const isUnknown = value && !types.some(({ place_type_name: name }) => name === value);
  return html`
    <${Field} label="Type" error=${error}>
      <select name="type" value=${value} onInput=${onInput}>
        <option value="">All types</option>
        ${isUnknown && html`<option value=${value}>${value}</option>`}
        ${types.map(({ place_type_name: name, count }) => html`
          <option value=${name}>${name} (${number(count)})</option>`)}
      </select>
    <//>
    ${unread && html`
      <div class="unread"><p class="warning">Place types couldn’t be loaded.</p>
        <${Failure} error=${unread} retry=${retry} /></div>`}`;
}

/** @param {{value: string, error?: string, onInput: (event: any) => void}} props */
function Order({ value, error, onInput }) {
  return html`
    <${Field} label="Sort by" error=${error}>
      <select name="sort" value=${value || 'name'} onInput=${onInput}>
        ${Object.entries(SORTS).map(([name, { title }]) => html`<option value=${name}>${title}</option>`)}
      </select>
    <//>`;
}

/**
 * @param {{typed: Asked, errors: Record<string, string>, set: (name: string) => (event: any) => void}} props
 */
function Circle({ typed, errors, set }) {
  return html`
    <${Field} label="Near" error=${errors.near} hint="Latitude, longitude. Or draw a circle on the map.">
      <input name="near" value=${typed.near} onInput=${set('near')} placeholder="40.758, -73.9855"
        autocomplete="off" />
    <//>
    <${Field} label="Within (miles)" error=${errors.within}>
      <input name="within" value=${typed.within} onInput=${set('within')} inputmode="decimal"
        placeholder="5" />
    <//>`;
}

/** @param {{onView: () => void}} props */
function Actions({ onView }) {
  return html`
    <div class="actions">
      <button type="button" onClick=${onView}>Search this view · ${costOf('search_places')}</button>
      <button class="primary">Search · ${costOf('search_places')}</button>
    </div>`;
}

/** @param {{area: Area | null, onClear: () => void}} props */
function AreaChip({ area, onClear }) {
  if (!area) return null;
  return html`
    <p class="chip">Within the ${area.kind} on the map
      <button type="button" class="quiet" onClick=${onClear}>Remove area</button>
    </p>`;
}

/**
 * Returns the messages of the violations that the API reported, by form field.
 * @param {Error | null} error
 * @returns {Record<string, string>}
 */
function violations(error) {
  const found = /** @type {import('../../api/errors.js').ApiError | null} */ (error)?.violations ?? [];
  /** @type {Map<string, string>} */
  const names = new Map(TEXTS.map(({ name, member }) => [member, name]));
  names.set('place_type_name', 'type').set('sort', 'sort');
  names.set('geo_distance', 'near').set('distance', 'within');
  return Object.fromEntries(found.map(({ pointer, detail }) => {
    const member = pointer.split('/').findLast((part) => names.has(part)) ?? '';
    return [names.get(member) ?? '', detail];
  }));
}
