// The fields of single filters.

import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { TextField } from '../../scenario/text-field.js';
import { findMarkets, knownMarkets } from '../../scenario/markets.js';
import { Field } from '../../ui/field.js';
import { FLAGS, SORTS, TEXTS } from './filters.js';
import { results } from './search.js';

/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('../../scenario/violations.js').Notes} Notes */
/** @typedef {{filters: Filters, onChange: (filters: Filters) => void, notes: Notes}} Props */
/** @typedef {import('../../scenario/markets.js').AreaType} AreaType */
/** @typedef {import('./display.js').Display} Display */

/** Filters whose names are those of areas, which can be read. */
/** @type {Partial<Record<keyof Filters, AreaType>>} */
const AREAS = { dma_name: 'DMA', cbsa_name: 'CBSA', county_name: 'COUNTY', state: 'STATE' };
/** What suggestions are taken from what is loaded. */
/** @type {Partial<Record<keyof Filters, keyof Display>>} */
const SEEN = { media_type_name: 'mediaType', media_name: 'name' };

/** @type {Partial<Record<keyof Filters, string>>} */
const HINTS = {
  search: 'Words of a market, county, road or the operator’s name; the last one may be a beginning.',
  dma_name: 'The whole name, such as New York.',
  primary_artery: 'Any piece of it.',
  media_type_name: 'Such as Bulletin or Panel.',
  construction_type_name: 'Such as Furniture, Freestanding, Rooftop or Exterior Wall.',
  illumination_type_name: 'Such as Backlit or Frontlit.',
};

/**
 * Asks for a text; names of areas are suggested once the field is used.
 * @param {Props & {name: keyof typeof TEXTS}} props
 */
export function TextFilter({ name, filters, onChange, notes }) {
  const id = useId();
  const area = AREAS[name];
  const suggested = suggestions(name, area);
  // Free, and read once; without it the names have to be typed.
  const read = () => void (area && findMarkets(area).catch(() => {}));
  return html`
    <div onFocusIn=${read}>
      <${TextField} label=${TEXTS[name]} hint=${HINTS[name]} pointer=${`/filter/${name}`} notes=${notes}
        value=${filters[name]} list=${suggested.length ? id : undefined}
        onChange=${(/** @type {string} */ text) => onChange({ ...filters, [name]: text })} />
      <datalist id=${id}>${suggested.map((text) => html`<option value=${text}></option>`)}</datalist>
    </div>`;
}

/**
 * Asks yes, no, or either.
 * @param {Props & {name: keyof typeof FLAGS}} props
 */
export function FlagField({ name, filters, onChange }) {
  const [label, yes, no] = FLAGS[name];
  const group = useId();
  const choice = (/** @type {string} */ value, /** @type {string} */ text) => html`
    <label><input type="radio" name=${group} checked=${filters[name] === value}
      onChange=${() => onChange({ ...filters, [name]: value })} /> ${text}</label>`;
  return html`
    <fieldset class="flag">
      <legend>${label}</legend>
      ${choice('', 'Either')} ${choice('true', yes)} ${choice('false', no)}
    </fieldset>`;
}

/**
 * Asks for the bounds of ids.
 * @param {Props} props
 */
export function IdFields({ filters, onChange, notes }) {
  const field = (/** @type {'id_min' | 'id_max'} */ name, /** @type {string} */ label) => html`
    <${TextField} label=${label} pointer=${`/filter/${name}`} notes=${notes} value=${filters[name]}
      inputMode="numeric"
      onChange=${(/** @type {string} */ text) => onChange({ ...filters, [name]: text })} />`;
  return html`<div class="pair">${field('id_min', 'Lowest id')} ${field('id_max', 'Highest id')}</div>`;
}

/**
 * Asks for the order of results.
 * @param {Props} props
 */
export function SortFields({ filters, onChange }) {
  const sorts = Object.entries(SORTS).filter(([value]) => value !== 'distance' || filters.shape === 'circle');
  return html`
    <div class="pair">
      <${Field} label="By">
        <select value=${filters.sort}
          onChange=${(/** @type {any} */ event) => onChange({ ...filters, sort: event.target.value })}>
          ${sorts.map(([value, name]) => html`<option value=${value}>${name}</option>`)}
        </select>
      <//>
      <${Field} label="Direction">
        <select value=${filters.order}
          onChange=${(/** @type {any} */ event) => onChange({ ...filters, order: event.target.value })}>
          <option value="">Upward</option><option value="desc">Downward</option>
        </select>
      <//>
    </div>`;
}

/**
 * @param {keyof typeof TEXTS} name
 * @param {AreaType | undefined} area
 * @returns {string[]}
 */
function suggestions(name, area) {
  const seen = SEEN[name];
  if (area) {
    const known = [...knownMarkets.value.values()];
    return known.filter(({ geography_type: type }) => type === area).map((one) => one.name);
  }
  if (!seen) return [];
  const texts = (results.value?.displays ?? []).map((display) => String(display[seen]));
  return [...new Set(texts)].filter(Boolean).sort();
}
