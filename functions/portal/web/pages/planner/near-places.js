// The filters for displays that are near certain places, and for displays that aren't near them.

/** @typedef {import('../../api/types').Schema<'NearPlaces'>} NearPlaces */
/** @typedef {import('../../api/types').Schema<'PlaceFilter'>} PlaceFilter */

/** The two criteria, by the prefix of their filters' names, with their labels and API members. */
export const NEAR = /** @type {const} */ ({
  near: { label: 'Near', member: 'near_places' },
  away: { label: 'Not near', member: 'not_near_places' },
});

/** The members of a place filter that select places, with their labels. The first one is the default. */
export const PLACES_BY = /** @type {const} */ ({
  brand: 'Brand', place_type_name: 'Place type', place_name: 'Place name',
});

/**
 * The members of a place filter that limit the places to an area, with their labels. The first one is the
 * default.
 */
export const PLACES_IN = /** @type {const} */ ({
  county_name: 'County', dma_name: 'TV market (DMA)', state: 'State', zip_code: 'ZIP code',
});

/** The names of the filters. Each criterion consists of the places, their area, and the distance. */
export const NEAR_NAMES = /** @type {const} */ ([
  'near', 'near_by', 'near_within', 'near_unit', 'near_in', 'near_area',
  'away', 'away_by', 'away_within', 'away_unit', 'away_in', 'away_area',
]);

/** @typedef {keyof typeof NEAR} NearName */
/** @typedef {Record<typeof NEAR_NAMES[number], string>} NearFilters */
/** @typedef {keyof typeof PLACES_BY} PlacesBy */
/** @typedef {keyof typeof PLACES_IN} PlacesIn */

/**
 * Returns one criterion as filled in, with defaults for choices that the person hasn't made.
 * @param {NearFilters} filters
 * @param {NearName} name
 */
export function nearOf(filters, name) {
  return {
    text: filters[name].trim(),
    by: /** @type {PlacesBy} */ (filters[`${name}_by`] || 'brand'),
    within: filters[`${name}_within`].trim(),
    unit: filters[`${name}_unit`] || 'mi',
    area: filters[`${name}_area`].trim(),
    in: /** @type {PlacesIn} */ (filters[`${name}_in`] || 'county_name'),
  };
}

/**
 * Returns the place filter of a criterion, or null if the criterion isn't filled in.
 * @param {NearFilters} filters
 * @param {NearName} name
 * @returns {PlaceFilter | null}
 */
export function placesOf(filters, name) {
  const { text, by, area, in: within } = nearOf(filters, name);
  return text === '' ? null : { [by]: text, ...(area && { [within]: area }) };
}

/**
 * Returns `near_places` and `not_near_places` for a search request's filter, if they're filled in.
 * @param {NearFilters} filters
 * @returns {[string, NearPlaces][]}
 */
export function nearCriteria(filters) {
  return namesOf(filters).map((name) => {
    const { within, unit } = nearOf(filters, name);
    return [NEAR[name].member, { filter: placesOf(filters, name), distance: `${Number(within)}${unit}` }];
  });
}

/**
 * Reports each criterion whose distance isn't a positive number.
 * @param {NearFilters} filters
 * @param {(holds: boolean, at: string, detail: string) => void} need
 */
export function checkNear(filters, need) {
  for (const name of namesOf(filters)) {
    const isDistance = Number(nearOf(filters, name).within) > 0;
    need(isDistance, `${NEAR[name].member}/distance`, 'must be a number greater than 0');
  }
}

/**
 * Describes the criteria, such as `500 m of Starbucks, not 200 m of Dunkin’`; empty if neither is filled in.
 * @param {NearFilters} filters
 */
export function nearSays(filters) {
  return namesOf(filters).map((name) => {
    const { text, within, unit } = nearOf(filters, name);
    return `${name === 'away' ? 'not ' : ''}${within || '?'} ${unit} of ${text}`;
  }).join(', ');
}

/** The JSON pointers of the fields, relative to `/filter/`. */
export const NEAR_FIELDS = Object.values(NEAR).flatMap(({ member }) => [
  ...[...Object.keys(PLACES_BY), ...Object.keys(PLACES_IN)].map((part) => `${member}/filter/${part}`),
  `${member}/filter`, `${member}/distance`,
]);

/** @param {NearFilters} filters */
function namesOf(filters) {
  return /** @type {NearName[]} */ (Object.keys(NEAR)).filter((name) => filters[name].trim() !== '');
}
