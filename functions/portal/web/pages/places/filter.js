// What somebody looks for among places: in the page's address, in the form, and as the interface takes it.

import { METRES_PER_MILE } from '../../map/geodesy.js';

/** @typedef {import('../../api/types').Schema<'PlaceSearchRequest'>} PlaceSearchRequest */
/** @typedef {NonNullable<PlaceSearchRequest['filter']>} PlaceFilter */
/** @typedef {import('../../map/area.js').Area} Area */

/** Places of a page: as many as the list and the map show well. */
const PAGE_SIZE = 50;

/** The texts that a place is looked for by: the name in the address, the label, the interface's member. */
export const TEXTS = /** @type {const} */ ([
  { name: 'name', label: 'Name', member: 'place_name', hint: 'Words of it; one typo a word is forgiven.' },
  { name: 'brand', label: 'Chain', member: 'brand', hint: 'Its whole name, such as Starbucks.' },
  { name: 'address', label: 'Street', member: 'address', hint: 'A part of it; * stands for anything.' },
  { name: 'city', label: 'City', member: 'city' },
  { name: 'state', label: 'State', member: 'state', hint: 'CA, or California.' },
  { name: 'zip', label: 'ZIP code', member: 'zip_code' },
  { name: 'county', label: 'County', member: 'county_name', hint: 'Suffolk County, MA; or without state.' },
  { name: 'market', label: 'Market (DMA)', member: 'dma_name', hint: 'Its whole name, such as New York.' },
]);

/** The orders that results can have. */
export const SORTS = /** @type {const} */ ({
  name: { title: 'Name', active: 'place_name', direction: 'asc' },
  visits: { title: 'Most visits first', active: 'weekly_visits', direction: 'desc' },
  city: { title: 'City', active: 'city', direction: 'asc' },
  type: { title: 'Type', active: 'place_type_name', direction: 'asc' },
  distance: { title: 'Nearest first', active: 'distance', direction: 'asc' },
});

/** What the address may name beside the texts: a point as `lat,lon`, an area as `west,south,east,north`. */
const OTHERS = ['type', 'near', 'within', 'area', 'sort', 'page'];
const NAMES = [...TEXTS.map(({ name }) => name), ...OTHERS];

/**
 * What somebody looks for, all as texts, as typed: `near` and `within` (miles), or `area`, and the rest.
 * @typedef {Record<string, string>} Asked
 */

/**
 * Reads what the page's address asks for.
 * @param {Record<string, string>} query
 * @returns {Asked}
 */
export function askedOf(query) {
  return Object.fromEntries(NAMES.map((name) => [name, query[name] ?? '']));
}

/**
 * Writes what is asked for into an address.
 * @param {Asked} asked
 * @returns {string} the pairs, with nothing that is empty
 */
export function queryOf(asked) {
  const pairs = NAMES.filter((name) => asked[name]?.trim()).map((name) => [name, asked[name].trim()]);
  return new URLSearchParams(pairs).toString();
}

/**
 * Tells whether an address asks for anything at all.
 * @param {Asked} asked
 */
export function isAsking(asked) {
  return NAMES.some((name) => name !== 'sort' && name !== 'page' && asked[name]);
}

/**
 * Says what is wrong with what was typed, by the field.
 * @param {Asked} asked
 * @returns {Record<string, string>}
 */
export function faultsOf(asked) {
  /** @type {Record<string, string>} */
  const faults = {};
  for (const { name } of TEXTS) {
    if (asked[name].length > 200) faults[name] = 'At most 200 letters.';
  }
  if (asked.near && !point(asked.near)) faults.near = 'Latitude and longitude, such as 40.758, -73.9855.';
  if (asked.near && asked.within && !(Number(asked.within) > 0)) faults.within = 'A number of miles above 0.';
  if (asked.sort === 'distance' && !asked.near) faults.sort = 'Nearest first needs a point to be near to.';
  return faults;
}

/**
 * Writes a search as the interface takes it.
 * @param {Asked} asked without faults
 * @returns {PlaceSearchRequest}
 */
export function requestOf(asked) {
  const { active, direction } = SORTS[/** @type {keyof typeof SORTS} */ (asked.sort)] ?? SORTS.name;
  return {
    filter: filterOf(asked),
    pagination: { page: Math.max(1, Number.parseInt(asked.page, 10) || 1), page_size: PAGE_SIZE },
    sort: { active, direction },
  };
}

/**
 * @param {Asked} asked
 * @returns {PlaceFilter}
 */
function filterOf(asked) {
  /** @type {PlaceFilter} */
  const filter = {};
  for (const { name, member } of TEXTS) {
    if (asked[name].trim()) filter[member] = asked[name].trim();
  }
  if (asked.type) filter.place_type_name = asked.type;
  const area = areaOf(asked);
  if (area?.kind === 'circle') {
    const [lon, lat] = area.middle;
    filter.geo_distance = { lat, lon, distance: `${asked.within.trim() || 5}mi` };
  } else if (area) {
    filter.geo_bounding_box = {
      top_left: { lat: area.north, lon: area.west }, bottom_right: { lat: area.south, lon: area.east },
    };
  }
  return filter;
}

/**
 * Reads the area that is looked in; a circle without a distance has 5 miles.
 * @param {Asked} asked
 * @returns {Area | null}
 */
export function areaOf({ near, within, area }) {
  const middle = point(near);
  if (middle) {
    const metres = (Number(within) || 5) * METRES_PER_MILE;
    return { kind: 'circle', middle: [middle.lon, middle.lat], metres };
  }
  const sides = area.split(',').map(Number);
  if (sides.length !== 4 || !sides.every(Number.isFinite)) return null;
  const [west, south, east, north] = sides;
  return { kind: 'rectangle', west, south, east, north };
}

/**
 * Writes an area as the address has it.
 * @param {Area} area
 * @returns {Pick<Asked, 'near' | 'within' | 'area'>}
 */
export function askedArea(area) {
  if (area.kind === 'rectangle') {
    const sides = [area.west, area.south, area.east, area.north];
    return { near: '', within: '', area: sides.map((side) => side.toFixed(5)).join(',') };
  }
  const [lon, lat] = area.middle;
  const miles = (area.metres / METRES_PER_MILE).toPrecision(3);
  return { near: `${lat.toFixed(5)}, ${lon.toFixed(5)}`, within: String(Number(miles)), area: '' };
}

/**
 * @param {string} text
 * @returns {{lat: number, lon: number} | null}
 */
function point(text) {
  const [lat, lon, ...more] = text.split(',').map((part) => (part.trim() ? Number(part) : Number.NaN));
  const isPoint = more.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return isPoint ? { lat, lon } : null;
}
