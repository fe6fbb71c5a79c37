// The search filters, shown as chips. Clicking a chip opens the form fields of its filters.

import { html } from 'htm/preact';
import { cohortName } from '../../scenario/cohorts.js';
import { AreaFields } from './area-fields.js';
import { FLAGS, SORTS, TEXTS, rankedBy, withoutArea } from './filters.js';
import { FlagField, IdFields, RankField, SortFields, TextFilter } from './filter-fields.js';
import { NearFields } from './near-fields.js';
import { NEAR_FIELDS, NEAR_NAMES, nearSays } from './near-places.js';

/** @typedef {import('./filters.js').Filters} Filters */
/** @typedef {import('../../scenario/violations.js').Notes} Notes */
/** @typedef {import('./filter-fields.js').Props} Props */
/** @typedef {keyof typeof TEXTS} TextName */

/**
 * @typedef {object} Chip
 * @property {string} name
 * @property {(filters: Filters) => string} says returns the current value as text, or an empty string
 * @property {(filters: Filters) => Filters} clear
 * @property {(props: Props) => any} fields renders the form fields
 */

/** @type {TextName[]} */
const WHERE = ['dma_name', 'cbsa_name', 'county_name', 'state', 'zip_code', 'primary_artery'];
/** @type {TextName[]} */
const MEDIA = ['media_type_name', 'media_name', 'construction_type_name', 'illumination_type_name'];

/** @type {Chip[]} */
const CHIPS = [
  texts('Keywords', ['search']),
  texts('Location', WHERE),
  {
    name: 'Area', says: areaSays, clear: withoutArea,
    fields: (props) => html`<${AreaFields} ...${props} />`,
  },
  {
    name: 'Near places', says: nearSays, clear: (filters) => cleared(filters, NEAR_NAMES),
    fields: (props) => html`<${NearFields} ...${props} />`,
  },
  texts('Media', MEDIA),
  flags('Digital', ['digital']),
  flags('Features', ['full_motion', 'rotating', 'interactive', 'audio']),
  {
    name: 'IDs',
    says: ({ id_min: least, id_max: most }) => (least || most ? `${least || '…'}–${most || '…'}` : ''),
    clear: (filters) => cleared(filters, ['id_min', 'id_max']),
    fields: (props) => html`<${IdFields} ...${props} />`,
  },
  {
    name: 'Audience', says: ({ cohort }) => (cohort ? cohortName(cohort) : ''),
    clear: (filters) => rankedBy(filters, ''),
    fields: (props) => html`<${RankField} ...${props} />`,
  },
  {
    name: 'Sort',
    says: ({ sort }) => (sort ? SORTS[/** @type {keyof typeof SORTS} */ (sort)] : ''),
    clear: (filters) => cleared(filters, ['sort', 'order']),
    fields: (props) => html`<${SortFields} ...${props} />`,
  },
];

/**
 * Shows the chips and the fields of the open chip.
 * @param {Props & {faulty: string[], open: string, onOpen: (name: string) => void}} props `faulty` lists the
 *   names of the chips with errors; `open` is the name of the open chip, or empty
 */
export function FilterPanel({ faulty, open, onOpen, ...props }) {
  const chip = CHIPS.find(({ name }) => name === open);
  return html`
    <div class="chips" role="group" aria-label="Filters">
      ${CHIPS.map(({ name, says }) => {
        const said = says(props.filters);
        return html`
          <button type="button" class=${said ? 'chip set' : 'chip'} aria-expanded=${name === open}
            aria-controls="filter" onClick=${() => onOpen(name === open ? '' : name)}>
            ${name}${said && html`: <b>${said}</b>`}
            ${faulty.includes(name) && html`<span class="error"> – check</span>`}
          </button>`;
      })}
    </div>
    <div id="filter" class="filter" role="group" hidden=${!chip}
      aria-label=${chip ? `Filter: ${chip.name}` : 'Filter'}>
      ${chip?.fields(props)}
      ${chip?.says(props.filters) && html`
        <button type="button" onClick=${() => props.onChange(chip.clear(props.filters))}>Clear</button>`}
    </div>`;
}

/**
 * Returns the names of the chips whose fields have errors.
 * @param {Notes} notes
 */
export function faultyChips(notes) {
  const has = (/** @type {readonly string[]} */ pointers) =>
    pointers.some((pointer) => notes.errorAt(`/filter/${pointer}`));
  const area = FILTER_FIELDS.filter((pointer) => pointer.includes('geo_')).map((pointer) => pointer.slice(8));
  return [
    ...(has(area) ? ['Area'] : []),
    ...(has(['id_min', 'id_max']) ? ['IDs'] : []),
    ...(has(['search']) ? ['Keywords'] : []),
    ...(has(WHERE) ? ['Location'] : []),
    ...(has(MEDIA) ? ['Media'] : []),
    ...(has(NEAR_FIELDS) ? ['Near places'] : []),
    ...(notes.errorAt('/service_segment_id') ? ['Audience'] : []),
  ];
}

/** The JSON pointers of all filter fields. Errors at these pointers are shown next to the fields. */
export const FILTER_FIELDS = [
  ...Object.keys(TEXTS), ...Object.keys(FLAGS), 'id_min', 'id_max', 'geo_distance/lat', 'geo_distance/lon',
  'geo_distance/distance', 'geo_bounding_box/top_left/lat', 'geo_bounding_box/top_left/lon',
  'geo_bounding_box/bottom_right/lat', 'geo_bounding_box/bottom_right/lon', ...NEAR_FIELDS,
].map((name) => `/filter/${name}`).concat('/service_segment_id');

/**
 * @param {string} name
 * @param {TextName[]} names
 * @returns {Chip}
 */
function texts(name, names) {
  return {
    name,
    says: (filters) => names.map((one) => filters[one]).filter(Boolean).join(', '),
    clear: (filters) => cleared(filters, names),
    fields: (props) => names.map((one) => html`<${TextFilter} key=${one} name=${one} ...${props} />`),
  };
}

/**
 * @param {string} name
 * @param {(keyof typeof FLAGS)[]} names
 * @returns {Chip}
 */
function flags(name, names) {
  const word = (/** @type {Filters} */ filters) => (/** @type {keyof typeof FLAGS} */ one) =>
    filters[one] && FLAGS[one][filters[one] === 'true' ? 1 : 2];
  return {
    name,
    says: (filters) => names.map(word(filters)).filter(Boolean).join(', ').toLowerCase(),
    clear: (filters) => cleared(filters, names),
    fields: (props) => names.map((one) => html`<${FlagField} key=${one} name=${one} ...${props} />`),
  };
}

/** @param {Filters} filters */
function areaSays({ shape, radius, unit }) {
  if (shape === 'circle') return `circle, ${radius || '?'} ${unit || 'mi'}`;
  return shape === 'rectangle' ? 'rectangle' : '';
}

/**
 * @param {Filters} filters
 * @param {readonly (keyof Filters)[]} names
 * @returns {Filters}
 */
function cleared(filters, names) {
  return { ...filters, ...Object.fromEntries(names.map((name) => [name, ''])) };
}
