// The form fields of the filters for displays near places.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useList } from '../../api/use-list.js';
import { TextField } from '../../scenario/text-field.js';
import { Field } from '../../ui/field.js';
import { UNITS } from './filters.js';
import { MarketField, SuggestedField } from './filter-fields.js';
import { NEAR, PLACES_BY, PLACES_IN, nearOf } from './near-places.js';

/** @typedef {import('./filter-fields.js').Props} Props */
/** @typedef {import('./near-places.js').NearName} NearName */
/** @typedef {import('./near-places.js').PlacesBy} PlacesBy */

/** @type {Record<PlacesBy, string>} */
const HINTS = {
  brand: 'The complete name, such as Starbucks.', place_type_name: 'Such as Coffee shop.',
  place_name: 'Words from the name.',
};

/** The area types whose names are suggested, by member of the place filter. */
const MARKETS = /** @type {const} */ ({
  county_name: 'COUNTY', dma_name: 'DMA', state: 'STATE', zip_code: undefined,
});

/**
 * Shows the places that displays must be near, and the places that they must not be near.
 * @param {Props} props
 */
export function NearFields(props) {
  const names = /** @type {NearName[]} */ (Object.keys(NEAR));
  return names.map((name) => html`<${Criterion} key=${name} name=${name} ...${props} />`);
}

/** @param {Props & {name: NearName}} props */
function Criterion({ name, filters, onChange, notes }) {
  const { label, member } = NEAR[name];
  const { by, in: within, unit } = nearOf(filters, name);
  const at = `/filter/${member}`;
  const change = (/** @type {string} */ part) => (/** @type {string} */ text) =>
    onChange({ ...filters, [part]: text });
  const select = (/** @type {string} */ part, /** @type {string} */ title, /** @type {string} */ value,
    /** @type {string[][]} */ options) => html`
    <${Field} label=${title}>
      <select value=${value} onChange=${(/** @type {any} */ event) => change(part)(event.target.value)}>
        ${options.map(([one, text]) => html`<option value=${one}>${text}</option>`)}
      </select>
    <//>`;
  return html`
    <fieldset class="near">
      <legend>${label}</legend>
      <div class="pair">
        ${select(`${name}_by`, 'Places by', by, Object.entries(PLACES_BY))}
        <${PlacesField} by=${by} at=${at} notes=${notes} value=${filters[name]} onChange=${change(name)} />
        <${TextField} label=${name === 'near' ? 'Within' : 'Not within'} pointer=${`${at}/distance`}
          notes=${notes} value=${filters[`${name}_within`]} inputMode="decimal"
          onChange=${change(`${name}_within`)} />
        ${select(`${name}_unit`, 'Unit', unit, Object.keys(UNITS).map((one) => [one, one]))}
        ${select(`${name}_in`, 'Places in', within, Object.entries(PLACES_IN))}
        <${MarketField} label=${PLACES_IN[within]} type=${MARKETS[within]} hint="Empty: everywhere."
          pointer=${notes.errorAt(`${at}/filter`) ? `${at}/filter` : `${at}/filter/${within}`}
          notes=${notes} value=${filters[`${name}_area`]} onChange=${change(`${name}_area`)} />
      </div>
    </fieldset>`;
}

/**
 * Shows the field for a brand, a place type, or a name. Focusing the field loads suggestions, which is free.
 * @param {{by: PlacesBy, at: string, notes: import('../../scenario/violations.js').Notes, value: string,
 *   onChange: (text: string) => void}} props
 */
function PlacesField({ by, at, ...props }) {
  const [isUsed, setIsUsed] = useState(false);
  const { items: brands } = useList('list_place_brands', isUsed && by === 'brand');
  const { items: types } = useList('list_place_types', isUsed && by === 'place_type_name');
  const suggested = {
    brand: brands.map(({ brand }) => brand), place_name: [],
    place_type_name: types.map(({ place_type_name: type }) => type),
  };
  return html`
    <${SuggestedField} ...${props} label=${PLACES_BY[by]} hint=${HINTS[by]} pointer=${`${at}/filter/${by}`}
      suggested=${suggested[by]} onUse=${() => setIsUsed(true)} />`;
}
