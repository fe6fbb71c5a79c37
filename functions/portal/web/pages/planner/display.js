// A display as the planner shows it: from a search's record, or with less of it from the map.

import { count } from '../../ui/format.js';

/** @typedef {import('../../api/types').Schema<'InventoryRecord'>} InventoryRecord */

/**
 * @typedef {object} Display
 * @property {number} id the `spot_id` of inventory search
 * @property {string} name what its operator calls it; empty where that is not known, as all texts here
 * @property {string} operator
 * @property {string} street
 * @property {string} market the name of its TV market
 * @property {string} mediaType
 * @property {string} setting roadside or place based
 * @property {boolean | undefined} digital
 * @property {number | undefined} facing degrees clockwise from north
 * @property {{width: number, height: number} | null} size in inches, of its first face
 * @property {[number, number]} at longitude and latitude
 */

/**
 * What a search asks for of each record.
 * @type {NonNullable<import('../../api/types').Schema<'InventorySearchRequest'>['fieldSet']>}
 */
export const FIELDS = [
  'spot_id', 'digital', 'media_name', 'classification_type.name', 'media_type.name', 'location.dma_name',
  'location.state', 'location.primary_artery', 'location.geometry', 'location.orientation',
  'representations.account.name', 'layouts.faces.width', 'layouts.faces.height',
];

const WINDS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/**
 * Reads a record of a search.
 * @param {InventoryRecord} record
 * @returns {Display}
 */
export function ofRecord(record) {
  const { spot_id, digital, media_name, classification_type, media_type, location } = record;
  const { width, height } = record.layouts?.[0]?.faces?.[0] ?? {};
  return {
    id: spot_id ?? 0,
    name: media_name ?? '',
    operator: record.representations?.[0]?.[0]?.account?.name ?? '',
    street: location?.primary_artery ?? '',
    market: location?.dma_name ?? '',
    mediaType: media_type?.name ?? '',
    setting: classification_type?.name ?? '',
    digital,
    facing: location?.orientation ?? undefined,
    size: width && height ? { width, height } : null,
    at: /** @type {[number, number]} */ (location?.geometry?.coordinates ?? [0, 0]),
  };
}

/**
 * Reads what the tiles say about a single display.
 * @param {import('../../map/found-features.js').Found} found
 * @returns {Display}
 */
export function ofFound({ at, properties }) {
  const { spot_id, digital, media_type = '', operator = '', dma = '' } = properties;
  return {
    id: spot_id, name: '', operator, street: '', market: dma, mediaType: media_type, setting: '', digital,
    facing: undefined, size: null, at,
  };
}

/**
 * Names a display for people.
 * @param {Display} display
 */
export function titleOf({ id, name, mediaType }) {
  return name || `${mediaType || 'Display'} ${id}`;
}

/**
 * Says the rest of what is known about a display in two lines: where it is, and what.
 * @param {Display} display
 */
export function detailsOf({ id, name, operator, street, facing, digital, mediaType, size }) {
  const kind = digital === undefined ? '' : digital ? 'digital' : 'static';
  const where = [street, facing === undefined ? '' : `faces ${windOf(facing)}`, name ? String(id) : ''];
  const what = [operator, mediaType, kind, sizeOf(size)];
  return [where, what].map((parts) => parts.filter(Boolean).join(' · '));
}

/**
 * Writes a direction as a point of the compass.
 * @param {number} degrees
 */
function windOf(degrees) {
  return WINDS[Math.round(degrees / 45) % WINDS.length];
}

/**
 * @param {Display['size']} size
 * @returns {string} such as `14 × 48 ft`, height first, as the trade has it
 */
function sizeOf(size) {
  if (!size) return '';
  const feet = (/** @type {number} */ inches) => Number((inches / 12).toFixed(1));
  return `${feet(size.height)} × ${feet(size.width)} ft`;
}

/**
 * Groups displays by market, the markets by name; those without one come last.
 * @param {Iterable<Display>} displays
 * @returns {[string, Display[]][]}
 */
export function byMarket(displays) {
  const last = '\uffff';
  return [...Map.groupBy(displays, ({ market }) => market)]
    .sort(([a], [b]) => (a || last).localeCompare(b || last));
}

/**
 * Says how many displays there are.
 * @param {number} value
 */
export function displays(value) {
  return count(value, 'display');
}
