// The two families of assets: campaigns and events. Code that handles both takes a family as a parameter.

import { date } from '../../ui/format.js';
import {
  CAMPAIGN_FIELDS, campaignBody, campaignDraft, campaignFaults,
} from '../../scenario/campaign-form.js';
import { EVENT_FIELDS, eventBody, eventDraft, eventFaults } from '../../scenario/event-form.js';
import { campaignParts, eventParts } from './parts.js';
import { campaignRows, eventRows } from './rows.js';

/** @typedef {import('../../api/types').Schema<'CampaignAsset'>} CampaignAsset */
/** @typedef {import('../../api/types').Schema<'EventAsset'>} EventAsset */
/** @typedef {CampaignAsset | EventAsset} Asset */
/** @typedef {import('../../api/errors.js').Violation} Violation */
/** @typedef {import('../../scenario/sites.js').SiteKind} SiteKind */

/**
 * An asset as last read or written, with its entity tag for `If-Match`.
 * @typedef {{asset: any, etag: string}} Version
 */

/** An asset in a list, with only the members that the list call requested. */
/** @typedef {Partial<CampaignAsset & EventAsset> & {asset_id: string}} Listed */

/**
 * @typedef {object} Family
 * @property {'campaign' | 'event'} one the singular noun
 * @property {'campaigns' | 'events'} many the plural noun, which is also the path of the library's page
 * @property {string} title the heading of the library
 * @property {string} planner the path of the page that creates assets
 * @property {SiteKind} sites the kind of sites that assets contain
 * @property {'list_campaigns' | 'list_events'} list
 * @property {'summarize_campaigns' | 'summarize_events'} summarize
 * @property {'read_campaign' | 'read_event'} read
 * @property {'edit_campaign' | 'edit_event'} edit
 * @property {'create_campaign' | 'create_event'} create
 * @property {'delete_campaign' | 'delete_event'} remove
 * @property {'buy_campaign_measurement' | 'buy_event_measurement'} measure
 * @property {'read_campaign_measurement' | 'read_event_measurement'} measurement
 * @property {string} listed the members that list calls request, as a comma-separated list
 * @property {string[]} fields the JSON pointers of the form's fields
 * @property {(asset: any) => string | undefined} nameOf returns the name of an asset, if it has one
 * @property {(asset: any) => string} runs formats the dates of an asset in one line
 * @property {(asset: any) => string[]} siteIds returns the IDs of an asset's displays or places
 * @property {(asset: any) => any} draft converts an asset to a draft that the form can edit
 * @property {(draft: any) => any} body converts a draft to a request body
 * @property {(draft: any) => Violation[]} faults returns the errors in a draft
 * @property {(draft: any, name: string) => any} named returns a copy of a draft with another name
 * @property {(draft: any) => import('./parts.js').Part[]} parts converts a draft to lines of text, for
 *   comparisons
 * @property {(asset: any) => import('../../scenario/timeline.js').Row[]} rows returns the timeline's rows
 */

/** @type {Family} */
export const CAMPAIGNS = {
  one: 'campaign',
  many: 'campaigns',
  title: 'Campaigns',
  planner: 'planner',
  sites: 'displays',
  list: 'list_campaigns',
  summarize: 'summarize_campaigns',
  read: 'read_campaign',
  edit: 'edit_campaign',
  create: 'create_campaign',
  remove: 'delete_campaign',
  measure: 'buy_campaign_measurement',
  measurement: 'read_campaign_measurement',
  listed: 'asset_id,state,campaign,flight,spots,customer,updated_at',
  fields: CAMPAIGN_FIELDS,
  nameOf: ({ campaign, customer }) => campaign?.name || customer?.customer_scenario_name,
  runs: ({ flight }) => (flight ? `${date(flight.start_date)} – ${date(flight.end_date)}` : ''),
  siteIds: ({ spots }) => spots.map((/** @type {{display_id: string}} */ spot) => spot.display_id),
  draft: campaignDraft,
  body: campaignBody,
  faults: campaignFaults,
  named: (draft, name) => ({ ...draft, campaign: { ...draft.campaign, name } }),
  parts: campaignParts,
  rows: campaignRows,
};

/** @type {Family} */
export const EVENTS = {
  one: 'event',
  many: 'events',
  title: 'Events',
  planner: 'event-planner',
  sites: 'places',
  list: 'list_events',
  summarize: 'summarize_events',
  read: 'read_event',
  edit: 'edit_event',
  create: 'create_event',
  remove: 'delete_event',
  measure: 'buy_event_measurement',
  measurement: 'read_event_measurement',
  listed: 'asset_id,state,name,periods,place_ids,customer,timezone,updated_at',
  fields: EVENT_FIELDS,
  nameOf: ({ name, customer }) => name || customer?.customer_scenario_name,
  runs: eventRuns,
  siteIds: ({ place_ids: ids }) => ids,
  draft: eventDraft,
  body: eventBody,
  faults: eventFaults,
  named: (draft, name) => ({ ...draft, name }),
  parts: eventParts,
  rows: eventRows,
};

/**
 * Returns the name of an asset, or a title such as `Unnamed campaign`.
 * @param {Family} family
 * @param {any} asset
 */
export function titleOf(family, asset) {
  return family.nameOf(asset) || `Unnamed ${family.one}`;
}

/** @param {Partial<EventAsset>} event */
function eventRuns({ periods = [] }) {
  const moments = periods.flatMap(({ start_time: start, end_time: end }) => [start, end]);
  const days = moments.map((moment) => moment.slice(0, 10)).sort();
  const [first, last] = [days[0], days.at(-1)];
  return first === last ? date(first) : `${date(first)} – ${date(last)}`;
}
