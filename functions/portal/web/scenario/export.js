// Exports a campaign or a plan as an Excel workbook, CSV, or GeoJSON, for people who don't use the portal.
// The files contain the same data as the printed page.

import { csv, provenanceColumns } from '../ui/csv.js';
import { download } from '../ui/download.js';
import { date } from '../ui/format.js';
import { unitSystem } from '../ui/units.js';
import { XLSX, xlsx } from '../ui/xlsx.js';
import { cohortName } from './cohorts.js';
import { estimateSheets } from './estimate-sheets.js';
import { marketName } from './markets.js';
import { displayNotes, modelledInLookup } from './modelled.js';
import { displaysMeta, sites } from './sites.js';

/** @typedef {import('../ui/xlsx.js').Sheet} Sheet */
/** @typedef {import('../ui/xlsx.js').Cell} Cell */
/** @typedef {import('./campaign-form.js').Spot} Spot */
/** @typedef {import('./estimate.js').Estimate} Estimate */

/**
 * A campaign or a plan to export.
 * @typedef {object} Exported
 * @property {string} title
 * @property {import('./campaign-form.js').CampaignDraft} draft
 * @property {Estimate | null} estimate the current estimate, if there is one
 * @property {(id: string) => Known} known returns the facts that searches have returned about a display, and
 *   the display's group in the planner
 */

/** @typedef {{impressions?: number, modelled?: string[], group?: string}} Known */

const IS_FEET = unitSystem === 'imperial';
const LENGTH = IS_FEET ? 'ft' : 'm';

/**
 * The columns of displays. Columns without any values are omitted.
 * @type {[string, (spot: Spot, facts: Facts) => Cell | null | undefined][]}
 */
const COLUMNS = [
  ['Display ID', (spot) => spot.display_id],
  ['Group', (_, { known }) => known.group],
  ['Unit number', (_, { record }) => record?.plant_spot_id],
  ['Name', (_, { record }) => record?.name],
  ['Media owner', (spot, { record }) => record?.operator ?? spot.customer_operator_name],
  ['Media type', (_, { record }) => record?.media_type],
  ['Format', (_, { record }) => (record?.digital == null ? '' : record.digital ? 'digital' : 'static')],
  ['Address', (_, { record }) => record?.address.street],
  ['County', (_, { record }) => record?.address.county],
  ['State', (_, { record }) => record?.address.state],
  ['ZIP code', (_, { record }) => record?.address.zip_code],
  ['Market', (_, { record }) => record?.market],
  ['Latitude', (_, { record }) => record?.location.lat],
  ['Longitude', (_, { record }) => record?.location.lon],
  [`Height (${LENGTH})`, (_, { record }) => lengthOf(record?.size?.height)],
  [`Width (${LENGTH})`, (_, { record }) => lengthOf(record?.size?.width)],
  ['Faces (° from north)', (_, { record }) => record?.orientation],
  ['Impressions per week', (_, facts) => impressionsOf(facts)],
  ['Impressions source', (_, facts) => (impressionsOf(facts) === undefined ? '' : sourceOf(facts))],
  ['Campaign impressions', (_, { estimated }) => estimated?.impressions],
  ['Index', (_, { estimated }) => estimated?.index],
  ['Windows', (spot) => (spot.windows ?? []).map(windowText).join(', ')],
  ['Modelled', (_, { record, known }) => (known.modelled ?? modelledInLookup(record)).join(', ')],
  ['Note', (_, { record }) => (record ? '' : 'not in the current data')],
];

/**
 * The facts about a display from its lookup, from searches, and from the estimate.
 * @typedef {object} Facts
 * @property {import('./sites.js').DisplayRecord | undefined} record
 * @property {Known} known
 * @property {import('../api/types').Schema<'EstimatedDisplay'> | undefined} estimated
 */

/**
 * Returns the sheets of a plan. All displays must have been looked up.
 * @param {Exported} plan
 * @returns {Sheet[]}
 */
export function sheetsOf(plan) {
  const { titles, rows } = tableOf(plan);
  const notes = displayNotes(displaysMeta.value?.provenance);
  return [
    { name: 'Plan', notes: [plan.title, ...notes], titles: ['Field', 'Value'], rows: factsOf(plan) },
    { name: 'Displays', notes, titles, rows },
    ...(plan.estimate ? estimateSheets(plan.estimate) : []),
  ];
}

/** The formats, each with the function that downloads the file. */
/** @type {[string, (plan: Exported) => void][]} */
export const FORMATS = [
  ['Excel', (plan) => download(fileName(plan, 'xlsx'), XLSX, xlsx(sheetsOf(plan)))],
  ['CSV', (plan) => download(fileName(plan, 'csv'), 'text/csv', csvOf(plan))],
  ['GeoJSON', (plan) => download(fileName(plan, 'geojson'), 'application/geo+json', geoJsonOf(plan))],
];

/** @param {Exported} plan */
function csvOf(plan) {
  const { titles, rows } = tableOf(plan);
  const labels = displaysMeta.value ? provenanceColumns(displaysMeta.value) : {};
  const body = rows.map((row) => [...row, ...Object.values(labels)].map(asText));
  // Excel recognizes a file as UTF-8 only if it starts with a byte order mark.
  return `\ufeff${csv([[...titles, ...Object.keys(labels)], ...body])}`;
}

/** @param {Exported} plan */
function geoJsonOf(plan) {
  const { titles, rows, facts } = tableOf(plan);
  const features = rows.flatMap((row, n) => {
    const { record } = facts[n];
    if (!record) return [];
    const properties = Object.fromEntries(titles.map((title, at) => [title, row[at]]));
    const geometry = { type: 'Point', coordinates: [record.location.lon, record.location.lat] };
    return [{ type: 'Feature', id: record.spot_id, geometry, properties }];
  });
  const meta = { provenance: displaysMeta.value?.provenance };
  return JSON.stringify({ type: 'FeatureCollection', meta, features });
}

/** @param {Exported} plan */
function tableOf({ draft, estimate, known }) {
  const estimated = new Map(estimate?.data.displays.map((display) => [display.display_id, display]));
  const facts = draft.spots.map(({ display_id: id }) => ({
    record: sites.displays.value.get(id)?.record, known: known(id), estimated: estimated.get(id),
  }));
  const all = COLUMNS.map(([title, cell]) => ({
    title, cells: draft.spots.map((spot, n) => cell(spot, facts[n]) ?? ''),
  }));
  const filled = all.filter(({ cells }) => cells.some((value) => value !== ''));
  const rows = draft.spots.map((_, n) => filled.map(({ cells }) => cells[n]));
  return { titles: filled.map(({ title }) => title), rows, facts };
}

/**
 * @param {Exported} plan
 * @returns {Cell[][]}
 */
function factsOf({ draft: { campaign, flight, spots, cohort, customer }, estimate }) {
  const { totals } = estimate?.data ?? {};
  const [measured] = cohort.service_segment_ids;
  const facts = /** @type {[string, Cell | null | undefined][]} */ ([
    ['Reference', campaign.reference], ['Advertiser', customer.customer_name],
    ['First day', flight.start_date && date(flight.start_date)],
    ['Last day', flight.end_date && date(flight.end_date)], ['Displays', spots.length],
    ['Audience', measured && cohortName(measured)],
    ['Markets', cohort.geography_ids.map(marketName).join(', ')],
    ['Reach (estimated)', totals?.reach], ['Lowest reach (estimated)', totals?.reach_low],
    ['Highest reach (estimated)', totals?.reach_high], ['Frequency (estimated)', totals?.frequency],
    ['TRP (estimated)', totals?.trp], ['Impressions (estimated)', totals?.impressions],
    ['Target impressions (estimated)', totals?.target_impressions],
  ]);
  return facts.flatMap(([label, value]) => (value || value === 0 ? [[label, value]] : []));
}

/** @param {Facts} facts */
function impressionsOf({ known, estimated }) {
  return estimated?.weekly_impressions ?? known.impressions;
}

/** @param {Facts} facts */
function sourceOf({ known, estimated }) {
  const isModelled = known.modelled?.includes('impressions');
  return estimated?.weekly_impressions_from ?? (isModelled ? 'modelled' : 'given');
}

/** @param {number | undefined} inches */
function lengthOf(inches) {
  if (inches === undefined) return '';
  return Number((IS_FEET ? inches / 12 : inches * 0.0254).toFixed(2));
}

/** @param {{start_date: string, end_date: string}} window */
function windowText({ start_date: start, end_date: end }) {
  return `${date(start)} – ${date(end)}`;
}

/**
 * Puts an apostrophe before text that a spreadsheet would interpret as a formula, as in the API's CSV.
 * @param {Cell} value
 */
function asText(value) {
  return typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

/**
 * @param {Exported} plan
 * @param {string} extension
 */
function fileName({ title }, extension) {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return `${words || 'plan'}.${extension}`;
}
