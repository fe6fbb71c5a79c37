// Converts the filters of a place search between the page's address, the form, and the API's request.

import { METERS_PER_MILE } from '../../ui/units.js';

/** @typedef {import('../../api/types').Schema<'PlaceSearchRequest'>} PlaceSearchRequest */
/** @typedef {NonNullable<PlaceSearchRequest['filter']>} PlaceFilter */
/** @typedef {import('../../map/area.js').Area} Area */

/** The number of places per page of results. */
const PAGE_SIZE = 50;

/**
 * The text filters. `name` is the parameter in the address, and `member` is the member of the API's request.
 */
export const TEXTS = /** @type {const} */ ([
  { name: 'name', label: 'Name', member: 'place_name', hint: 'Any words. One typo per word is corrected.' },
  { name: 'brand', label: 'Brand', member: 'brand', hint: 'The complete name, such as Starbucks.' },
  { name: 'address', label: 'Street', member: 'address', hint: 'Part of the address. * matches anything.' },
  { name: 'city', label: 'City', member: 'city' },
  { name: 'state', label: 'State', member: 'state', hint: 'CA or California.' },
  { name: 'zip', label: 'ZIP code', member: 'zip_code' },
  {
    name: 'county', label: 'County', member: 'county_name',
    hint: 'Such as Suffolk County, MA, Suffolk County, or Brooklyn.',
  },
  { name: 'market', label: 'TV market (DMA)', member: 'dma_name', hint: 'Complete name, such as New York.' },
]);

/** The sort orders, by their names in the address. `active` is the API's name for the sort field. */
export const SORTS = /** @type {const} */ ({
  name: { title: 'Name', active: 'place_name', direction: 'asc' },
  visits: { title: 'Most visited', active: 'weekly_visits', direction: 'desc' },
  city: { title: 'City', active: 'city', direction: 'asc' },
  type: { title: 'Type', active: 'place_type_name', direction: 'asc' },
  distance: { title: 'Nearest', active: 'distance', direction: 'asc' },
});

/** The other parameters of the address. `near` is `lat,lon`, and `area` is `west,south,east,north`. */
const OTHERS = ['type', 'near', 'within', 'area', 'sort', 'page'];
const NAMES = [...TEXTS.map(({ name }) => name), ...OTHERS];

/**
 * The filters as typed, by name. `near` and `within` (in miles) specify a circle, and `area` specifies a
 * rectangle.
 * @typedef {Record<string, string>} Asked
 */

/**
 * Reads the filters from the query parameters of an address. Missing filters become empty strings.
 * @param {Record<string, string>} query
 * @returns {Asked}
 */
export function askedOf(query) {
  return Object.fromEntries(NAMES.map((name) => [name, query[name] ?? '']));
}

/**
 * Converts the filters to a query string. Omits empty filters.
 * @param {Asked} asked
 * @returns {string}
 */
export function queryOf(asked) {
  const pairs = NAMES.filter((name) => asked[name]?.trim()).map((name) => [name, asked[name].trim()]);
  return new URLSearchParams(pairs).toString();
}

/**
 * Returns whether any filter is set. The sort order and the page don't count as filters.
 * @param {Asked} asked
 */
export function isAsking(asked) {
  return NAMES.some((name) => name !== 'sort' && name !== 'page' && asked[name]);
}

/**
 * Returns an error message for each invalid filter, by filter name.
 * @param {Asked} asked
 * @returns {Record<string, string>}
 */
export function faultsOf(asked) {
  /** @type {Record<string, string>} */
  const faults = {};
  for (const { name } of TEXTS) {
    if (asked[name].length > 200) faults[name] = 'Use at most 200 characters.';
  }
  if (asked.near && !point(asked.near)) {
    faults.near = 'Enter a latitude and longitude, such as 40.758, -73.9855.';
  }
  if (asked.near && asked.within && !(Number(asked.within) > 0)) faults.within = 'Enter a number above 0.';
  if (asked.sort === 'distance' && !asked.near) faults.sort = 'Enter a point under Near to sort by distance.';
  return faults;
}

/**
 * Converts the filters to an API request.
 * @param {Asked} asked filters for which `faultsOf` returns no errors
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
    const [lon, lat] = area.center;
    filter.geo_distance = { lat, lon, distance: `${asked.within.trim() || 5}mi` };
  } else if (area) {
    filter.geo_bounding_box = {
      top_left: { lat: area.north, lon: area.west }, bottom_right: { lat: area.south, lon: area.east },
    };
  }
  return filter;
}

/**
 * Returns the search area, or null if the filters don't contain one. The default radius is 5 miles.
 * @param {Asked} asked
 * @returns {Area | null}
 */
export function areaOf({ near, within, area }) {
  const center = point(near);
  if (center) {
    const meters = (Number(within) || 5) * METERS_PER_MILE;
    return { kind: 'circle', center: [center.lon, center.lat], meters };
  }
  const sides = area.split(',').map(Number);
  if (sides.length !== 4 || !sides.every(Number.isFinite)) return null;
  const [west, south, east, north] = sides;
  return { kind: 'rectangle', west, south, east, north };
}

/**
 * Converts an area to the filters that select it.
 * @param {Area} area
 * @returns {Pick<Asked, 'near' | 'within' | 'area'>}
 */
export function askedArea(area) {
  if (area.kind === 'rectangle') {
    const sides = [area.west, area.south, area.east, area.north];
    return { near: '', within: '', area: sides.map((side) => side.toFixed(5)).join(',') };
  }
  const [lon, lat] = area.center;
  const miles = (area.meters / METERS_PER_MILE).toPrecision(3);
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
