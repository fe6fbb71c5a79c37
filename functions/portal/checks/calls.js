// Calls that the types must accept, and calls that they must reject. This module never runs:
// `make check-portal` only checks its types. An unused `@ts-expect-error` is an error itself.

/**
 * @param {import("../web/api/types").Call} call
 * @param {import("../web/api/types").Schema<"CampaignAssetCreateRequest">} campaign
 */
export async function calls(call, campaign) {
  const created = await call("create_campaign", { body: campaign, headers: { "Idempotency-Key": "1" } });
  const path = { asset_id: created.data.asset_id };
  const { data } = await call("read_campaign", { path, signal: new AbortController().signal });
  data.spots.map((spot) => spot.display_id.toUpperCase());
  const query = { state: "draft,queued", limit: 10 };
  const list = await call("list_campaigns", { query, headers: { Accept: "text/csv" } });
  list.data.map((row) => row.customer?.customer_name);
  (await call("read_account")).data.organization?.role.toUpperCase();
  /** @type {undefined} */
  const nothing = await call("delete_campaign", { path, headers: { "If-Match": '"1"' } });
  (await call("create_key", { body: { label: "One", scopes: ["inventory"] } })).data.api_key.toUpperCase();

  // @ts-expect-error: unknown operation
  await call("create_campain", { body: campaign });
  // @ts-expect-error: the body is missing
  await call("create_campaign");
  // @ts-expect-error: required members of the body are missing
  await call("create_campaign", { body: {} });
  // @ts-expect-error: unknown member of the body
  await call("create_campaign", { body: { ...campaign, flights: [] } });
  // @ts-expect-error: the member must be a string
  await call("create_campaign", { body: { ...campaign, flight: { start_date: 1, end_date: "2027-06-27" } } });
  // @ts-expect-error: the parameter must be a number
  await call("list_campaigns", { query: { limit: "ten" } });
  // @ts-expect-error: unknown path parameter
  await call("read_campaign", { path: { id: "one" } });
  // @ts-expect-error: the path parameters are missing
  await call("read_campaign");
  // @ts-expect-error: the operation takes no body
  await call("read_account", { body: {} });
  // @ts-expect-error: the operation doesn't take this header
  await call("read_campaign", { path, headers: { "Idempotency-Key": "one form" } });
  // @ts-expect-error: unknown member of the response
  (await call("read_account")).data.organisation;
  return nothing;
}
