import assert from "node:assert/strict";
import { test } from "node:test";
import { coffeeInBoston, createOnce, callWithRetry, ApiError, service, succeeded } from "./calls.js";
import { campaign, client, credentials, given, search, spending } from "./workflow.js";

const COHORT = "10a19720-9af1-519f-9ff6-a129fe8adb3e";
const EVERYONE = "272d18b6-2ce5-5301-87a8-b41e86cc9d31";

const body = (name: string, ...spots: number[]) =>
  campaign(name, spots.length ? spots : [13320188], "US2020XDMA501", COHORT, EVERYONE);
const is = (status: number, code: string) => (error: unknown) =>
  error instanceof ApiError && error.status === status && error.code === code;

test("finds places", async () => {
  const names = new Set((await coffeeInBoston(client)).map(({ place_name }) => place_name));
  assert.deepEqual([...names], ["Dunkin'"]);
});

test("error has its code", async () => {
  const path = { asset_id: crypto.randomUUID() };
  const unknown = succeeded(client.GET("/scenarios/campaigns/{asset_id}", { params: { path } }));
  await assert.rejects(unknown, is(404, "NOT_FOUND"));
  const invalid = search.POST("/msearch/inventory", { body: { pagination: { page: 0 } } });
  await assert.rejects(succeeded(invalid), is(400, "invalid_request"));
});

test("create with lost response creates once", async () => {
  const cost = await spending();
  let lost = false;
  const losing = service(credentials.base_url, credentials.enterprise_key);
  losing.use({
    onResponse() {
      if (lost) return;
      lost = true;
      throw new TypeError("response lost");
    },
  });
  const { data, response } = await createOnce(losing, body("created once"));
  assert.equal(response.headers.get("Idempotency-Replayed"), "true");
  assert.deepEqual([data?.meta.credits_used, await cost()], [0, 1]);
  const query = { customer_scenario_id: "created once" };
  const listed = await succeeded(client.GET("/scenarios/campaigns", { params: { query } }));
  assert.deepEqual(listed.data.map(({ asset_id }) => asset_id), [data?.data.asset_id]);
});

test("reused idempotency key is rejected", async () => {
  const params = { header: { "Idempotency-Key": crypto.randomUUID() } };
  await succeeded(client.POST("/scenarios/campaigns", { params, body: body("one") }));
  const second = client.POST("/scenarios/campaigns", { params, body: body("two") });
  await assert.rejects(succeeded(second), is(409, "IDEMPOTENCY_KEY_REUSED"));
});

test("unknown display returns a warning", async () => {
  const { meta } = await succeeded(createOnce(client, body("warned", 13320188, 1)));
  assert.deepEqual(meta.warnings?.map(({ pointer }) => pointer), ["/spots/1/display_id"]);
  assert.equal(meta.warnings_total, 1);
});

test("integers beyond 2^53 stay exact", async () => {
  const beyond = 9007199254740993n;
  const sent = body("exact");
  const created = await succeeded(createOnce(client, {
    ...sent,
    customer: { ...sent.customer, customer_id: beyond },
    spots: [{ display_id: "13320188", spot_id: -beyond }, { display_id: "13320188", spot_id: 2 }],
  }));
  const path = { asset_id: created.data.asset_id };
  const { data } = await succeeded(client.GET("/scenarios/campaigns/{asset_id}", { params: { path } }));
  const exact: number | bigint = data.customer.customer_id;
  assert.deepEqual([exact, ...data.spots.map(({ spot_id }) => spot_id)], [beyond, -beyond, 2]);
});

test("edit requires the current version", async () => {
  const created = await createOnce(client, body("edited"));
  const path = { asset_id: given(created.data).data.asset_id };
  const seen = { "If-Match": given(created.response.headers.get("ETag")) };
  const edit = (header: typeof seen) => client.PATCH("/scenarios/campaigns/{asset_id}", {
    params: { path, header }, body: { campaign: { name: "Edited" } },
  });

  const edited = await edit(seen);
  assert.deepEqual([edited.data?.data.version, edited.response.headers.get("ETag")], [2, '"2"']);
  const stale = await edit(seen);
  assert.deepEqual([stale.response.status, stale.error?.error.code], [412, "PRECONDITION_FAILED"]);
  const header = { "If-Match": given(stale.response.headers.get("ETag")) };
  const deleted = await client.DELETE("/scenarios/campaigns/{asset_id}", { params: { path, header } });
  assert.equal(deleted.response.status, 204);
});

test("rate-limited call is retried", async () => {
  const sandbox = service(credentials.base_url, credentials.sandbox_key);
  const list = (of: typeof client) => of.GET("/scenarios/campaigns", { params: { query: { limit: 1 } } });
  let answer = await list(sandbox);
  for (let more = 20; more > 0 && answer.response.status !== 429; more -= 1) answer = await list(sandbox);
  await assert.rejects(succeeded(Promise.resolve(answer)), is(429, "RATE_LIMITED"));

  // The second call stands in for a call in the next minute, so the test doesn't wait.
  const refusals = [answer];
  const waited: number[] = [];
  const again = await callWithRetry(async () => refusals.pop() ?? list(client), {
    sleep: async (milliseconds) => waited.push(milliseconds),
  });
  assert.equal(again.response.status, 200);
  assert.equal(waited.length, 1);
  assert.ok(given(waited[0]) >= 1000 && given(waited[0]) <= 60_000, String(waited));
});

test("list returns chosen members", async () => {
  await createOnce(client, body("listed"));
  const query = { fields: "asset_id,state", limit: 1 };
  const { data } = await succeeded(client.GET("/scenarios/campaigns", { params: { query } }));
  assert.deepEqual(Object.keys(given(data[0])), ["asset_id", "state"]);
});

test("table is fetched as CSV", async () => {
  const { data, response } = await client.GET("/markets", {
    params: { query: { geography_type: "STATE", limit: 3 } },
    headers: { Accept: "text/csv" },
    parseAs: "text",
  });
  assert.equal(given(data).trimEnd().split("\r\n").length, 4);
  assert.equal(response.headers.get("X-Total-Count"), "51");
  assert.match(given(response.headers.get("Link")), /rel="next"/);
});

test("tile is bytes and contract is text", async () => {
  const product = "displays";
  const grant = await succeeded(client.POST("/{product}/tiles/grants", {
    params: { path: { product } }, body: { allowed_origins: ["https://maps.example.com"] },
  }));
  const params = { path: { product, grant_id: grant.data.grant_id } } as const;
  const map = await succeeded(client.GET("/{product}/tiles/grants/{grant_id}/tilejson", { params }));
  const token = given(new URL(given(map.tiles[0])).searchParams.get("token"));
  const tile = await client.GET("/{product}/tiles/{layer}/{z}/{x}/{y}.mvt", {
    params: { path: { product, layer: "faces", z: 4, x: 4, y: 6 }, query: { token } },
    parseAs: "arrayBuffer",
  });
  assert.equal(tile.response.status, 200);
  assert.equal(new Uint8Array(given(tile.data))[0], 0x1a);

  const contract = await client.GET("/openapi.yaml", { parseAs: "text" });
  assert.ok(given(contract.data).startsWith("openapi: 3.1."));
});
