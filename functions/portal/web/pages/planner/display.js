// A display as the planner shows it: from a search record, or with fewer properties from the map.

import { count } from '../../ui/format.js';
import { faceSize } from '../../ui/units.js';

/** @typedef {import('../../api/types').Schema<'InventoryRecord'>} InventoryRecord */

/**
 * @typedef {object} Display
 * @property {number} id the `spot_id` of inventory search
 * @property {string} name the media owner's name for it; unknown texts are empty
 * @property {string} owner the media owner
 * @property {string} street
 * @property {string} market the name of its TV market
 * @property {string} mediaType
 * @property {string} environment roadside or place-based
 * @property {boolean | undefined} digital
 * @property {number | undefined} facing degrees clockwise from north
 * @property {{width: number, height: number} | null} size of its first face, in inches
 * @property {[number, number]} at longitude and latitude
 */

/**
 * The fields that a search requests.
 * @type {NonNullable<import('../../api/types').Schema<'InventorySearchRequest'>['fieldSet']>}
 */
export const FIELDS = [
  'spot_id', 'digital', 'media_name', 'classification_type.name', 'media_type.name', 'location.dma_name',
  'location.state', 'location.primary_artery', 'location.geometry', 'location.orientation',
  'representations.account.name', 'layouts.faces.width', 'layouts.faces.height',
];

const WINDS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/**
 * Converts a search record.
 * @param {InventoryRecord} record
 * @returns {Display}
 */
export function ofRecord(record) {
  const { spot_id, digital, media_name, classification_type, media_type, location } = record;
  const { width, height } = record.layouts?.[0]?.faces?.[0] ?? {};
  return {
    id: spot_id ?? 0,
    name: media_name ?? '',
    owner: record.representations?.[0]?.[0]?.account?.name ?? '',
    street: location?.primary_artery ?? '',
    market: location?.dma_name ?? '',
    mediaType: media_type?.name ?? '',
    environment: classification_type?.name ?? '',
    digital,
    facing: location?.orientation ?? undefined,
    size: width && height ? { width, height } : null,
    at: /** @type {[number, number]} */ (location?.geometry?.coordinates ?? [0, 0]),
  };
}

/**
 * Converts a display from the tiles.
 * @param {import('../../map/found-features.js').Found} found
 * @returns {Display}
 */
export function ofFound({ at, properties }) {
  const { spot_id, digital, media_type = '', operator = '', dma = '' } = properties;
  return {
    id: spot_id, name: '', owner: operator, street: '', market: dma, mediaType: media_type, environment: '',
    digital, facing: undefined, size: null, at,
  };
}

/**
 * Returns a display's title.
 * @param {Display} display
 */
export function titleOf({ id, name, mediaType }) {
  return name || `${mediaType || 'Display'} ${id}`;
}

/**
 * Describes a display in two lines: its location and its type.
 * @param {Display} display
 */
export function detailsOf({ id, name, owner, street, facing, digital, mediaType, size }) {
  const kind = digital === undefined ? '' : digital ? 'digital' : 'static';
  const where = [street, facing === undefined ? '' : `faces ${windOf(facing)}`, name ? String(id) : ''];
  const what = [owner, mediaType, kind, size ? faceSize(size) : ''];
  return [where, what].map((parts) => parts.filter(Boolean).join(' · '));
}

/**
 * Converts a direction to a compass point.
 * @param {number} degrees
 */
function windOf(degrees) {
  return WINDS[Math.round(degrees / 45) % WINDS.length];
}

/**
 * Groups displays by market, sorted by name; displays without a market come last.
 * @param {Iterable<Display>} displays
 * @returns {[string, Display[]][]}
 */
export function byMarket(displays) {
  const last = '\uffff';
  return [...Map.groupBy(displays, ({ market }) => market)]
    .sort(([a], [b]) => (a || last).localeCompare(b || last));
}

/**
 * Formats a number of displays.
 * @param {number} value
 */
export function displays(value) {
  return count(value, 'display');
}
