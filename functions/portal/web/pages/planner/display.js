// The displays in the planner. They're converted from search results, lookups, or map tiles; tiles contain
// fewer properties than the others.

import { modelledInLookup, modelledInSearch } from '../../scenario/modelled.js';
import { count, number } from '../../ui/format.js';
import { faceSize } from '../../ui/units.js';

/** @typedef {import('../../api/types').Schema<'InventoryRecord'>} InventoryRecord */

/**
 * A display in the planner. Unknown strings are empty.
 * @typedef {object} Display
 * @property {number} id the `spot_id` of inventory search
 * @property {string} name the media owner's name for the display
 * @property {string} owner the name of the media owner
 * @property {string} street the road or intersection
 * @property {string} market the name of the TV market (DMA)
 * @property {string} [county] the name of the county; known from lookups
 * @property {string} mediaType such as `Bulletin`
 * @property {string} environment roadside or place-based
 * @property {boolean | undefined} digital
 * @property {number | undefined} facing the direction in degrees clockwise from north
 * @property {{width: number, height: number} | null} size the size of the first face, in inches
 * @property {[number, number]} at the longitude and latitude
 * @property {number} [impressions] the impressions of an average week
 * @property {string[]} [modelled] the properties that a model filled in: any of `size`, `direction`, and
 *   `impressions`
 */

/**
 * The fields of each display that a search requests from the API.
 * @type {NonNullable<import('../../api/types').Schema<'InventorySearchRequest'>['fieldSet']>}
 */
export const FIELDS = [
  'spot_id', 'digital', 'media_name', 'classification_type.name', 'media_type.name', 'location.dma_name',
  'location.state', 'location.primary_artery', 'location.geometry', 'location.orientation',
  'representations.account.name', 'layouts.faces.width', 'layouts.faces.height', 'weekly_impressions',
  'modelled',
];

const WINDS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/**
 * Converts a record of an inventory search to a display.
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
    impressions: record.weekly_impressions,
    modelled: modelledInSearch(record.modelled),
  };
}

/**
 * Converts a feature of a map tile to a display. Properties that tiles don't contain remain unknown.
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
 * Returns the name of a display, or its media type and ID if the name is unknown.
 * @param {Display} display
 */
export function titleOf({ id, name, mediaType }) {
  return name || `${mediaType || 'Display'} ${id}`;
}

/**
 * Describes a display in two lines: first its location, then its owner, type, and size.
 * @param {Display} display
 */
export function detailsOf({ id, name, owner, street, facing, digital, mediaType, size }) {
  const kind = digital === undefined ? '' : digital ? 'digital' : 'static';
  const where = [street, facing === undefined ? '' : `faces ${windOf(facing)}`, name ? String(id) : ''];
  const what = [owner, mediaType, kind, size ? faceSize(size) : ''];
  return [where, what].map((parts) => parts.filter(Boolean).join(' · '));
}

/**
 * Formats the impressions of a display in an average week. Returns an empty string if they're unknown.
 * @param {Display} display
 */
export function impressionsOf({ impressions, modelled }) {
  if (impressions === undefined) return '';
  return `${number(impressions)} impressions a week${modelled?.includes('impressions') ? ', modelled' : ''}`;
}

/**
 * Returns the nearest of the eight main compass points.
 * @param {number} degrees clockwise from north
 */
function windOf(degrees) {
  return WINDS[Math.round(degrees / 45) % WINDS.length];
}

/**
 * Converts a display that was looked up by its ID.
 * @param {import('../../scenario/sites.js').DisplayRecord} record
 * @returns {Display}
 */
export function ofLookup(record) {
  const { spot_id: id, name, operator, address, media_type: mediaType, ...rest } = record;
  return {
    id, name: name ?? '', owner: operator ?? '', street: address.street ?? '', market: rest.market ?? '',
    county: address.county ?? '', mediaType: mediaType ?? '', environment: '',
    digital: rest.digital ?? undefined, facing: rest.orientation ?? undefined, size: rest.size,
    at: [rest.location.lon, rest.location.lat], modelled: modelledInLookup(record),
  };
}

/**
 * Returns the market of a display, or its county if the market is unknown.
 * @param {Display} display
 */
export function marketOf({ market, county = '' }) {
  return market || county;
}

/**
 * Formats a number of displays, such as `3 displays`.
 * @param {number} value
 */
export function displays(value) {
  return count(value, 'display');
}
