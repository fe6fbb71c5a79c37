// The form fields of the search filters, except the area, whose fields are in `area-fields.js`.

import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { CohortsField } from '../../scenario/cohort-field.js';
import { TextField } from '../../scenario/text-field.js';
import { findMarkets, knownMarkets } from '../../scenario/markets.js';
import { Field } from '../../ui/field.js';
import { FLAGS, SORTS, TEXTS, isSortable, rankedBy } from './filters.js';
import { results } from './search.js';

/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('../../scenario/violations.js').Notes} Notes */
/** @typedef {{filters: Filters, onChange: (filters: Filters) => void, notes: Notes}} Props */
/** @typedef {import('../../scenario/markets.js').AreaType} AreaType */
/** @typedef {import('./display.js').Display} Display */

/** The filters that suggest the names of areas, and the type of area that each one suggests. */
/** @type {Partial<Record<keyof Filters, AreaType>>} */
const AREAS = { dma_name: 'DMA', cbsa_name: 'CBSA', county_name: 'COUNTY', state: 'STATE' };
/**
 * The filters that suggest values from the loaded displays, and the property that contains each filter's
 * values.
 */
/** @type {Partial<Record<keyof Filters, keyof Display>>} */
const SEEN = { media_type_name: 'mediaType', media_name: 'name' };

/** @type {Partial<Record<keyof Filters, string>>} */
const HINTS = {
  search: 'Words from a market, county, road, or display name. The last word can be incomplete.',
  dma_name: 'The complete name, such as New York.',
  county_name: 'Such as Kings County, NY, Kings County, or Brooklyn.',
  primary_artery: 'Any part of the name.',
  media_type_name: 'Such as Bulletin or Panel.',
  construction_type_name: 'Such as Furniture, Freestanding, Rooftop, or Exterior Wall.',
  illumination_type_name: 'Such as Backlit or Frontlit.',
};

/**
 * Shows a text filter with suggestions.
 * @param {Props & {name: keyof typeof TEXTS}} props
 */
export function TextFilter({ name, filters, onChange, notes }) {
  const own = {
    label: TEXTS[name], hint: HINTS[name], pointer: `/filter/${name}`, notes, value: filters[name],
    onChange: (/** @type {string} */ text) => onChange({ ...filters, [name]: text }),
  };
  const type = AREAS[name];
  return type ? html`<${MarketField} ...${own} type=${type} />`
    : html`<${SuggestedField} ...${own} suggested=${seenValues(name)} />`;
}

/** @typedef {Parameters<typeof TextField>[0]} TextProps */

/**
 * Shows a text field that suggests the names of areas. Focusing the field loads the suggestions.
 * @param {TextProps & {type?: AreaType}} props without a type, the field has no suggestions
 */
export function MarketField({ type, ...field }) {
  const markets = [...knownMarkets.value.values()];
  const suggested = markets.filter(({ geography_type: own }) => own === type).map(({ name }) => name);
  // Loading the names is free and happens only once. If it fails, the field still works, without suggestions.
  const read = () => void (type && findMarkets(type).catch(() => {}));
  return html`<${SuggestedField} ...${field} suggested=${suggested} onUse=${read} />`;
}

/**
 * Shows a text field with a list of suggestions.
 * @param {TextProps & {suggested: string[], onUse?: () => void}} props `onUse` runs when the field gets the
 *   focus
 */
export function SuggestedField({ suggested, onUse, ...field }) {
  const id = useId();
  return html`
    <div onFocusIn=${onUse}>
      <${TextField} ...${field} list=${suggested.length ? id : undefined} />
      <datalist id=${id}>${suggested.map((text) => html`<option value=${text}></option>`)}</datalist>
    </div>`;
}

/**
 * Shows a filter with the choices any, yes, and no.
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
      ${choice('', 'Any')} ${choice('true', yes)} ${choice('false', no)}
    </fieldset>`;
}

/**
 * Shows fields for a range of display IDs.
 * @param {Props} props
 */
export function IdFields({ filters, onChange, notes }) {
  const field = (/** @type {'id_min' | 'id_max'} */ name, /** @type {string} */ label) => html`
    <${TextField} label=${label} pointer=${`/filter/${name}`} notes=${notes} value=${filters[name]}
      inputMode="numeric"
      onChange=${(/** @type {string} */ text) => onChange({ ...filters, [name]: text })} />`;
  return html`<div class="pair">${field('id_min', 'Min. ID')} ${field('id_max', 'Max. ID')}</div>`;
}

/**
 * Shows a field for the cohort whose index determines the order of the results.
 * @param {Props} props
 */
export function RankField({ filters, onChange, notes }) {
  const { cohort } = filters;
  return html`
    <${CohortsField} label="Rank by audience" pointer="/service_segment_id" notes=${notes} isOptional
      hint="Displays with the highest index for this audience come first."
      ids=${cohort ? [cohort] : []}
      onChange=${(/** @type {string[]} */ ids) => onChange(rankedBy(filters, ids.at(-1) ?? ''))} />`;
}

/**
 * Shows fields for the sort order of the results.
 * @param {Props} props
 */
export function SortFields({ filters, onChange }) {
  const sorts = Object.entries(SORTS).filter(([value]) => isSortable(filters, value));
  return html`
    <div class="pair">
      <${Field} label="Sort by">
        <select value=${filters.sort}
          onChange=${(/** @type {any} */ event) => onChange({ ...filters, sort: event.target.value })}>
          ${sorts.map(([value, name]) => html`<option value=${value}>${name}</option>`)}
        </select>
      <//>
      <${Field} label="Direction">
        <select value=${filters.order}
          onChange=${(/** @type {any} */ event) => onChange({ ...filters, order: event.target.value })}>
          <option value="">Ascending</option><option value="desc">Descending</option>
        </select>
      <//>
    </div>`;
}

/**
 * Returns the distinct values in the loaded displays that a filter suggests.
 * @param {keyof typeof TEXTS} name
 * @returns {string[]}
 */
function seenValues(name) {
  const seen = SEEN[name];
  if (!seen) return [];
  const texts = (results.value?.displays ?? []).map((display) => String(display[seen]));
  return [...new Set(texts)].filter(Boolean).sort();
}
