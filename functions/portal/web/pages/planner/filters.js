// Converts the filters of an inventory search between the form, the page's address, and the API's request.

import { METERS_PER_MILE } from '../../ui/units.js';
import { checks } from '../../scenario/draft.js';
import { NEAR_NAMES, checkNear, nearCriteria } from './near-places.js';

/** @typedef {import('../../api/types').Schema<'InventorySearchRequest'>} SearchBody */
/** @typedef {import('../../api/errors.js').Violation} Violation */
/** @typedef {import('../../map/area.js').Area} Area */

/** The text filters and their labels. */
export const TEXTS = /** @type {const} */ ({
  search: 'Keywords',
  dma_name: 'TV market (DMA)',
  cbsa_name: 'Metro area (CBSA)',
  county_name: 'County',
  state: 'State',
  zip_code: 'ZIP code',
  primary_artery: 'Road or intersection',
  media_type_name: 'Media type',
  media_name: 'Display name',
  construction_type_name: 'Construction',
  illumination_type_name: 'Illumination',
});

/** The yes-or-no filters, with the label of the filter and the labels of its two values. */
export const FLAGS = /** @type {const} */ ({
  digital: ['Format', 'Digital', 'Static'],
  full_motion: ['Full motion', 'Full motion', 'No full motion'],
  interactive: ['Interactivity', 'Interactive', 'Not interactive'],
  rotating: ['Rotation', 'Rotating', 'Not rotating'],
  audio: ['Audio', 'With audio', 'Without audio'],
});

/** The filters that the API doesn't support. The page itself applies them to the loaded results. */
const REFINEMENTS = /** @type {const} */ (['environment', 'owner', 'width', 'height']);

/** The units of the radius and their lengths in meters. */
export const UNITS = /** @type {const} */ ({ mi: METERS_PER_MILE, km: 1000, ft: 0.3048, m: 1 });

/**
 * The fields that results can be sorted by, with their labels. `distance` requires a circle, and `index`
 * requires a cohort.
 */
export const SORTS = /** @type {const} */ ({
  '': 'ID',
  'location.dma_name': 'Market',
  'location.zip_code': 'ZIP code',
  'location.primary_artery': 'Road or intersection',
  'media_type.name': 'Media type',
  media_name: 'Display name',
  digital: 'Digital or static',
  distance: 'Distance from the circle’s center',
  index: 'Audience index',
});

const CIRCLE = /** @type {const} */ (['lat', 'lon', 'radius', 'unit']);
const RECTANGLE = /** @type {const} */ (['north', 'west', 'south', 'east']);
const OTHERS = /** @type {const} */ (['id_min', 'id_max', 'shape', 'cohort', 'sort', 'order']);
const NAMES = [
  ...Object.keys(TEXTS), ...Object.keys(FLAGS), ...OTHERS, ...CIRCLE, ...RECTANGLE, ...REFINEMENTS,
  ...NEAR_NAMES,
];

/**
 * The value of each filter as text, by its name in the address. Filters that aren't set are empty strings.
 * @typedef {Record<keyof typeof TEXTS | keyof typeof FLAGS | OtherName, string>} Filters
 */
/**
 * @typedef {typeof OTHERS[number] | typeof CIRCLE[number] | typeof RECTANGLE[number]
 *   | typeof REFINEMENTS[number] | typeof NEAR_NAMES[number]} OtherName
 */

/**
 * Reads the filters from the query string of an address.
 * @param {string} query such as `?digital=true`
 * @returns {Filters}
 */
export function readFilters(query) {
  const given = new URLSearchParams(query);
  const texts = NAMES.map((name) => [name, given.get(name) ?? '']);
  return /** @type {Filters} */ (Object.fromEntries(texts));
}

/**
 * Converts the filters to a query string.
 * @param {Filters} filters
 * @returns {string} starts with `?`; empty if no filter is set
 */
export function queryOf(filters) {
  const filled = Object.entries(filters).filter(([, text]) => text !== '');
  return filled.length ? `?${new URLSearchParams(filled)}` : '';
}

/**
 * Returns the search area in the filters, or null if it's missing or invalid.
 * @param {Filters} filters
 * @returns {Area | null}
 */
export function areaOf(filters) {
  if (filters.shape === 'circle') {
    const [latitude, longitude, radius] = [filters.lat, filters.lon, filters.radius].map(numberOf);
    if (!isWithin(latitude, 90) || !isWithin(longitude, 180) || !(radius > 0)) return null;
    return { kind: 'circle', center: [longitude, latitude], meters: radius * metersOf(filters.unit) };
  }
  if (filters.shape === 'rectangle') {
    const [north, west, south, east] = RECTANGLE.map((name) => numberOf(filters[name]));
    const isWhole = isWithin(north, 90) && isWithin(south, 90) && isWithin(west, 180) && isWithin(east, 180);
    if (!isWhole || north < south) return null;
    return { kind: 'rectangle', north, west, south, east };
  }
  return null;
}

/**
 * Returns the filters with their area replaced.
 * @param {Filters} filters
 * @param {Area} area
 * @returns {Filters}
 */
export function withArea(filters, area) {
  const bare = withoutArea(filters);
  if (area.kind === 'rectangle') {
    const { kind, ...edges } = area;
    const texts = Object.entries(edges).map(([name, value]) => [name, value.toFixed(5)]);
    return { ...bare, shape: kind, ...Object.fromEntries(texts) };
  }
  const [longitude, latitude] = area.center;
  const unit = filters.unit || 'mi';
  const radius = (area.meters / metersOf(unit)).toPrecision(4);
  return {
    ...bare, shape: area.kind, lat: latitude.toFixed(5), lon: longitude.toFixed(5),
    radius: String(Number(radius)), unit,
  };
}

/**
 * Returns the filters without an area, and without sorting by distance, which requires a circle.
 * @param {Filters} filters
 * @returns {Filters}
 */
export function withoutArea(filters) {
  const cleared = Object.fromEntries(['shape', ...CIRCLE, ...RECTANGLE].map((name) => [name, '']));
  const sort = filters.sort === 'distance' ? '' : filters.sort;
  return { ...filters, ...cleared, sort };
}

/**
 * Returns the filters with the county, state, and ZIP code replaced by those in `place`.
 * @param {Filters} filters
 * @param {Partial<Filters>} place
 * @returns {Filters}
 */
export function inPlace(filters, place) {
  return { ...filters, county_name: '', state: '', zip_code: '', ...place };
}

/**
 * Returns the filters with the given cohort, sorted by its index. An empty cohort removes the cohort and the
 * sort order.
 * @param {Filters} filters
 * @param {string} cohort
 * @returns {Filters}
 */
export function rankedBy(filters, cohort) {
  if (cohort) return { ...filters, cohort, sort: 'index', order: 'desc' };
  return { ...filters, cohort, ...(filters.sort === 'index' && { sort: '', order: '' }) };
}

/**
 * Returns the errors in the filters.
 * @param {Filters} filters
 * @returns {Violation[]} errors with JSON pointers into the request body
 */
export function faultsOf(filters) {
  const { faults, need: needAt } = checks();
  const need = (/** @type {boolean} */ holds, /** @type {string} */ at, /** @type {string} */ detail) =>
    needAt(holds, `/filter/${at}`, detail);
  for (const name of /** @type {const} */ (['id_min', 'id_max'])) {
    need(/^(-?\d{1,15})?$/.test(filters[name].trim()), name, 'must be a whole number');
  }
  const [least, most] = [filters.id_min, filters.id_max].map(numberOf);
  need(!(least > most), 'id_min', 'must not be greater than the maximum ID');
  if (filters.shape === 'circle') {
    need(isWithin(numberOf(filters.lat), 90), 'geo_distance/lat', 'must be from -90 to 90 degrees');
    need(isWithin(numberOf(filters.lon), 180), 'geo_distance/lon', 'must be from -180 to 180 degrees');
    need(numberOf(filters.radius) > 0, 'geo_distance/distance', 'must be a number greater than 0');
  }
  if (filters.shape === 'rectangle') checkRectangle(filters, need);
  checkNear(filters, need);
  return faults;
}

/**
 * @param {Filters} filters
 * @param {(holds: boolean, at: string, detail: string) => void} need
 */
function checkRectangle(filters, need) {
  const [north, west, south, east] = RECTANGLE.map((name) => numberOf(filters[name]));
  const box = 'geo_bounding_box';
  need(isWithin(north, 90), `${box}/top_left/lat`, 'must be from -90 to 90 degrees');
  need(isWithin(west, 180), `${box}/top_left/lon`, 'must be from -180 to 180 degrees');
  need(isWithin(south, 90), `${box}/bottom_right/lat`, 'must be from -90 to 90 degrees');
  need(isWithin(east, 180), `${box}/bottom_right/lon`, 'must be from -180 to 180 degrees');
  need(!(north < south), `${box}/top_left/lat`, 'must be north of the southern edge');
}

/**
 * Returns the `filter`, the `sort`, and the cohort of a search request.
 * @param {Filters} filters filters for which `faultsOf` returns no errors
 * @returns {Pick<SearchBody, 'filter' | 'sort' | 'service_segment_id'>}
 */
export function searchOf(filters) {
  const texts = Object.keys(TEXTS).map((name) => [name, filters[/** @type {keyof Filters} */ (name)].trim()]);
  const flags = Object.keys(FLAGS).map((name) => [name, filters[/** @type {keyof Filters} */ (name)]]);
  const ids = [['id_min', filters.id_min.trim()], ['id_max', filters.id_max.trim()]];
  const filled = (/** @type {string[][]} */ pairs) => pairs.filter(([, text]) => text !== '');
  const filter = Object.fromEntries([
    ...filled(texts),
    ...filled(flags).map(([name, text]) => [name, text === 'true']),
    ...filled(ids).map(([name, text]) => [name, Number(text)]),
    ...areaCriterion(filters),
    ...nearCriteria(filters),
  ]);
  const { sort, order } = filters;
  const isSorted = sort !== '' && isSortable(filters, sort);
  const field = /** @type {NonNullable<SearchBody['sort']>['field']} */ (isSorted ? sort : 'id');
  const { cohort } = filters;
  return {
    filter, sort: { field, order: order === 'desc' ? 'desc' : 'asc' },
    ...(cohort && { service_segment_id: cohort }),
  };
}

/**
 * Returns whether results can be sorted by a field, which depends on the other filters.
 * @param {Filters} filters
 * @param {string} sort
 */
export function isSortable({ shape, cohort }, sort) {
  if (sort === 'distance') return shape === 'circle';
  return sort !== 'index' || cohort !== '';
}

/** @param {Filters} filters */
function areaCriterion(filters) {
  const area = areaOf(filters);
  if (area === null) return [];
  if (area.kind === 'circle') {
    const [lon, lat] = area.center;
    const distance = `${numberOf(filters.radius)}${filters.unit || 'mi'}`;
    return [['geo_distance', { lat, lon, distance }]];
  }
  const { north, west, south, east } = area;
  const box = { top_left: { lat: north, lon: west }, bottom_right: { lat: south, lon: east } };
  return [['geo_bounding_box', box]];
}

/** @param {string} unit */
function metersOf(unit) {
  return UNITS[/** @type {keyof typeof UNITS} */ (unit || 'mi')] ?? UNITS.mi;
}

/** @param {string} text */
function numberOf(text) {
  return text.trim() === '' ? NaN : Number(text);
}

/**
 * @param {number} value
 * @param {number} most
 */
function isWithin(value, most) {
  return value >= -most && value <= most;
}
