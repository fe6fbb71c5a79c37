// Form fields for the coordinates of the search area. They're an alternative to drawing the area on the map.

import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { TextField } from '../../scenario/text-field.js';
import { Field } from '../../ui/field.js';
import { UNITS, withArea, withoutArea } from './filters.js';
import { view } from './planner-map.js';

/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('./filter-fields.js').Props} Props */
/** @typedef {'lat' | 'lon' | 'radius' | 'north' | 'west' | 'south' | 'east'} AreaText */

const SHAPES = /** @type {const} */ ([['', 'Anywhere'], ['circle', 'Circle'], ['rectangle', 'Rectangle']]);

/**
 * Shows a choice of shapes, and fields for the coordinates of the chosen shape.
 * @param {Props} props
 */
export function AreaFields(props) {
  const { filters, onChange } = props;
  const group = useId();
  // A newly chosen shape starts with coordinates from the visible part of the map.
  const seen = (/** @type {string} */ shape) => view.value?.find(({ kind }) => kind === shape);
  const take = (/** @type {string} */ shape) => {
    const area = seen(shape);
    onChange(area ? withArea(filters, area) : { ...withoutArea(filters), shape });
  };
  return html`
    <fieldset class="flag">
      <legend>Area</legend>
      ${SHAPES.map(([shape, name]) => html`
        <label>
          <input type="radio" name=${group} checked=${filters.shape === shape}
            onChange=${() => take(shape)} />
          ${` ${name}`}
        </label>`)}
    </fieldset>
    ${filters.shape === 'circle' && html`<${CircleFields} ...${props} />`}
    ${filters.shape === 'rectangle' && html`<${RectangleFields} ...${props} />`}`;
}

/** @param {Props} props */
function CircleFields(props) {
  const { filters, onChange } = props;
  return html`
    <div class="pair">
      ${field(props, 'lat', 'Center latitude', 'geo_distance/lat')}
      ${field(props, 'lon', 'Center longitude', 'geo_distance/lon')}
      ${field(props, 'radius', 'Radius', 'geo_distance/distance')}
      <${Field} label="Unit">
        <select value=${filters.unit || 'mi'}
          onChange=${(/** @type {any} */ event) => onChange({ ...filters, unit: event.target.value })}>
          ${Object.keys(UNITS).map((unit) => html`<option value=${unit}>${unit}</option>`)}
        </select>
      <//>
    </div>`;
}

/** @param {Props} props */
function RectangleFields(props) {
  return html`
    <div class="pair">
      ${field(props, 'north', 'North', 'geo_bounding_box/top_left/lat')}
      ${field(props, 'south', 'South', 'geo_bounding_box/bottom_right/lat')}
      ${field(props, 'west', 'West', 'geo_bounding_box/top_left/lon')}
      ${field(props, 'east', 'East', 'geo_bounding_box/bottom_right/lon')}
    </div>`;
}

/**
 * @param {Props} props
 * @param {AreaText} name
 * @param {string} label
 * @param {string} pointer the JSON pointer of the field, relative to `/filter/`
 */
function field({ filters, onChange, notes }, name, label, pointer) {
  return html`
    <${TextField} label=${label} pointer=${`/filter/${pointer}`} notes=${notes} value=${filters[name]}
      inputMode="decimal"
      onChange=${(/** @type {string} */ text) => onChange({ ...filters, [name]: text })} />`;
}
