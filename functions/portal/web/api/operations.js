// The operations of openapi.yaml that the pages call, one per line: method, path, and product.
// A test compares this table with openapi.yaml and with the prices in docs/reference/products.md.

/** Credits per call, by product. */
const PRICES = {
  scenario_campaign_crud: 1,
  scenario_event_crud: 1,
  client_links: 0,
  client_view: 0,
  campaign_estimate: 5,
  measurements: 0,
  inventory_search: 1,
  display_lookup: 0,
  place_search: 1,
  place_types: 0,
  place_brands: 0,
  place_profile: 1,
  place_report: 1,
  cohort_search: 0,
  population_at_home: 2,
  markets: 0,
  tile_grants: 0,
  tilejson: 0,
  base_map: 0,
  billing_credits: 0,
  billing_usage: 0,
  account: 0,
  account_keys: 0,
  account_members: 0,
  account_webhooks: 0,
};

/**
 * Products whose calls don't count toward the tier's rate limit. They count toward the account API limit,
 * except `tilejson`, `base_map`, and `client_view`, which count toward neither.
 */
const OWN_MINUTE = [
  'billing_usage', 'account', 'account_keys', 'account_members', 'account_webhooks', 'tilejson', 'base_map',
  'client_view',
];

/** @typedef {keyof typeof PRICES} Product */
/** @typedef {keyof typeof OPERATIONS} OperationId */

/** @satisfies {Record<string, [string, string, Product]>} */
export const OPERATIONS = {
  create_campaign: ['POST', '/scenarios/campaigns', 'scenario_campaign_crud'],
  list_campaigns: ['GET', '/scenarios/campaigns', 'scenario_campaign_crud'],
  summarize_campaigns: ['GET', '/scenarios/campaigns/summary', 'scenario_campaign_crud'],
  read_campaign: ['GET', '/scenarios/campaigns/{asset_id}', 'scenario_campaign_crud'],
  edit_campaign: ['PATCH', '/scenarios/campaigns/{asset_id}', 'scenario_campaign_crud'],
  delete_campaign: ['DELETE', '/scenarios/campaigns/{asset_id}', 'scenario_campaign_crud'],
  create_client_link: ['POST', '/scenarios/campaigns/{asset_id}/links', 'client_links'],
  list_client_links: ['GET', '/scenarios/campaigns/{asset_id}/links', 'client_links'],
  revoke_client_link: ['DELETE', '/scenarios/campaigns/{asset_id}/links/{link_id}', 'client_links'],
  read_client_campaign: ['GET', '/client-links/campaign', 'client_view'],
  estimate_campaign: ['POST', '/measures/campaigns/estimate', 'campaign_estimate'],
  buy_campaign_measurement: ['POST', '/measures/campaigns/{asset_id}', 'measurements'],
  read_campaign_measurement: ['GET', '/measures/campaigns/{asset_id}', 'measurements'],
  create_event: ['POST', '/scenarios/events', 'scenario_event_crud'],
  list_events: ['GET', '/scenarios/events', 'scenario_event_crud'],
  summarize_events: ['GET', '/scenarios/events/summary', 'scenario_event_crud'],
  read_event: ['GET', '/scenarios/events/{asset_id}', 'scenario_event_crud'],
  edit_event: ['PATCH', '/scenarios/events/{asset_id}', 'scenario_event_crud'],
  delete_event: ['DELETE', '/scenarios/events/{asset_id}', 'scenario_event_crud'],
  buy_event_measurement: ['POST', '/measures/events/{asset_id}', 'measurements'],
  read_event_measurement: ['GET', '/measures/events/{asset_id}', 'measurements'],
  search_places: ['POST', '/msearch', 'place_search'],
  search_inventory: ['POST', '/msearch/inventory', 'inventory_search'],
  look_up_displays: ['POST', '/displays/lookup', 'display_lookup'],
  list_place_types: ['GET', '/place/types', 'place_types'],
  list_place_brands: ['GET', '/place/brands', 'place_brands'],
  read_place_profile: ['GET', '/place/profiles/{place_id}', 'place_profile'],
  report_places: ['POST', '/measures/place/report', 'place_report'],
  search_cohorts: ['POST', '/cohorts/search', 'cohort_search'],
  read_population_at_home: ['POST', '/measures/population/at_home', 'population_at_home'],
  list_markets: ['GET', '/markets', 'markets'],
  create_tile_grant: ['POST', '/{product}/tiles/grants', 'tile_grants'],
  list_tile_grants: ['GET', '/{product}/tiles/grants', 'tile_grants'],
  revoke_tile_grant: ['DELETE', '/{product}/tiles/grants/{grant_id}', 'tile_grants'],
  read_tilejson: ['GET', '/{product}/tiles/grants/{grant_id}/tilejson', 'tilejson'],
  read_gazetteer: ['GET', '/basemap/gazetteer/{initial}', 'base_map'],
  read_account: ['GET', '/account', 'account'],
  sign_up: ['POST', '/account/organization', 'account'],
  list_keys: ['GET', '/account/keys', 'account_keys'],
  create_key: ['POST', '/account/keys', 'account_keys'],
  revoke_key: ['DELETE', '/account/keys/{key_id}', 'account_keys'],
  list_members: ['GET', '/account/members', 'account_members'],
  read_member: ['GET', '/account/members/{member_id}', 'account_members'],
  edit_member: ['PATCH', '/account/members/{member_id}', 'account_members'],
  remove_member: ['DELETE', '/account/members/{member_id}', 'account_members'],
  list_invitations: ['GET', '/account/invitations', 'account_members'],
  invite_member: ['POST', '/account/invitations', 'account_members'],
  accept_invitation: ['POST', '/account/invitations/accept', 'account'],
  revoke_invitation: ['DELETE', '/account/invitations/{invitation_id}', 'account_members'],
  list_webhooks: ['GET', '/account/webhooks', 'account_webhooks'],
  create_webhook: ['POST', '/account/webhooks', 'account_webhooks'],
  edit_webhook: ['PATCH', '/account/webhooks/{webhook_id}', 'account_webhooks'],
  delete_webhook: ['DELETE', '/account/webhooks/{webhook_id}', 'account_webhooks'],
  rotate_webhook_secret: ['POST', '/account/webhooks/{webhook_id}/secret', 'account_webhooks'],
  test_webhook: ['POST', '/account/webhooks/{webhook_id}/test', 'account_webhooks'],
  list_webhook_deliveries: ['GET', '/account/webhooks/{webhook_id}/deliveries', 'account_webhooks'],
  redeliver_webhook_delivery: ['POST', '/account/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', 'account_webhooks'],
  read_credits: ['GET', '/billing/credits', 'billing_credits'],
  read_bills: ['GET', '/billing/bills', 'billing_usage'],
  read_grants: ['GET', '/billing/grants', 'billing_usage'],
  read_usage: ['GET', '/billing/usage', 'billing_usage'],
};

/**
 * Returns the price of a call.
 * @param {OperationId} id
 * @returns {number} credits
 */
export function priceOf(id) {
  return PRICES[productOf(id)];
}

/**
 * Returns whether a call counts toward the organization's rate limit.
 * @param {OperationId} id
 */
export function isCounted(id) {
  return !OWN_MINUTE.includes(productOf(id));
}

/**
 * @param {OperationId} id
 * @returns {Product}
 */
function productOf(id) {
  return /** @type {Product} */ (OPERATIONS[id][2]);
}
