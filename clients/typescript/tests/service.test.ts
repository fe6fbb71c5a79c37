import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { inspect } from "node:util";
import { connect, type Item, MarqueeError, parseJson, stringifyJson, VERSION } from "marquee-client";
import { campaign, credentials, EVERYONE, fake, failure, KEY, service, url } from "./support.js";

const client = service();

test("integers beyond 2^53 stay exact in both directions", async () => {
  const [customer, spot] = [2n ** 63n - 1n, -(2n ** 53n) - 1n];
  const body = campaign("exact");
  body.customer.customer_id = customer;
  body.spots[0]!.spot_id = spot;
  const { data: created } = await client.POST("/scenarios/campaigns", { body });
  const path = { asset_id: created.data.asset_id };
  const { data: stored } = await client.GET("/scenarios/campaigns/{asset_id}", { params: { path } });
  assert.deepEqual([stored?.data.customer.customer_id, stored?.data.spots[0]?.spot_id], [customer, spot]);
  const { client: other, requests } = fake([]);
  await other.GET("/scenarios/campaigns", { params: { query: { customer_id: customer } } });
  assert.match(requests[0]!.url, /\?customer_id=9223372036854775807$/);
  const text = '{"id":9007199254740993,"small":-7,"part":0.5}';
  assert.deepEqual(parseJson(text), { id: 9007199254740993n, small: -7, part: 0.5 });
  assert.equal(stringifyJson(parseJson(text)), text);
});

test("types reject unknown members, missing members, and numbers as strings", async () => {
  // @ts-expect-error
  await assert.rejects(client.POST("/msearch", { body: { filter: { town: "Boston" } } }), { status: 400 });
  // @ts-expect-error
  await assert.rejects(client.POST("/scenarios/campaigns"), { status: 415 });
  // @ts-expect-error
  await assert.rejects(client.GET("/market"), /GET "\/market" isn't an operation of the API/);
  // @ts-expect-error
  assert.throws(() => client.items("/health"), /isn't a paged operation/);
  const market: Item<"/markets"> | undefined = undefined;
  // @ts-expect-error
  assert.equal(market?.market_id.toFixed(), undefined);
});

test("pagers return each item of several pages once", async () => {
  const { data: all } = await client.GET("/markets");
  const markets: string[] = [];
  for await (const { market_id } of client.items("/markets")) markets.push(market_id);
  assert.deepEqual([markets.length, new Set(markets).size], [all.pagination.total, all.pagination.total]);
  assert.ok(markets.length > 200);

  const filter = { city: "Phoenix", place_type_name: "Coffee Shop" };
  const places = new Set<unknown>();
  let pages = 0;
  for await (const page of client.pages("/msearch", { body: { filter, pagination: { page_size: 50 } } })) {
    pages += 1;
    for (const { place_id } of page.data.results) places.add(place_id);
    assert.equal(page.data.pagination.page, pages);
  }
  const { data: found } = await client.POST("/msearch", { body: { filter } });
  assert.deepEqual([places.size, pages > 2], [found.data.pagination.total_results, true]);

  const counties = new Set<string>();
  const arizona = { geography_type: ["COUNTY" as const], state: "AZ", pagination: { page_size: 4 } };
  const population = { service_segment_id: EVERYONE, ...arizona };
  const people = client.items("/measures/population/at_home", { body: population });
  for await (const { geography_id } of people) counties.add(geography_id);
  assert.equal(counties.size, 15);

  const displays: number[] = [];
  const sanFrancisco = { dma_name: "San Francisco" };
  const body = { filter: sanFrancisco, fieldSet: ["id" as const], pagination: { page_size: 100 } };
  for await (const { spot_id } of client.items("/msearch/inventory", { body })) displays.push(spot_id!);
  assert.equal(new Set(displays).size, (await client.POST("/msearch/inventory", { body })).data.total);
  assert.equal(new Set(displays).size, displays.length);
  assert.ok(displays.length > 100);
});

test("search beyond its reach warns", async () => {
  const warnings: string[] = [];
  const { items } = service({ log: { info: () => undefined, warn: (message) => warnings.push(message) } });
  const body = { fieldSet: ["place_id" as const], pagination: { page_size: 5000 } };
  let count = 0;
  for await (const _ of items("/msearch", { body })) count += 1;
  assert.equal(count, 10_000);
  assert.match(warnings.join(), /^search_places: read 10000 of \d{6} results: narrow the filter$/);
});

test("create with a lost response creates and charges once", async () => {
  const requests: Request[] = [];
  const losing = service({
    async fetch(request) {
      requests.push(request);
      const response = await fetch(request);
      if (requests.length === 1) throw failure("ECONNRESET");
      return response;
    },
    clock: { now: () => 0, sleep: async () => undefined },
  });
  const { data } = await losing.POST("/scenarios/campaigns", { body: campaign("lost") });
  const found = [];
  const params = { query: { customer_scenario_id: "lost" } };
  for await (const { asset_id } of client.items("/scenarios/campaigns", { params })) found.push(asset_id);
  assert.deepEqual([requests.length, found, data.meta.credits_used], [2, [data.data.asset_id], 0]);
});

test("unchanged and deleted assets have no body", async () => {
  const { data, response } = await client.POST("/scenarios/campaigns", { body: campaign("deleted") });
  const params = { path: { asset_id: data.data.asset_id } };
  const header = { "If-None-Match": response.headers.get("ETag")! };
  const unchanged = await client.GET("/scenarios/campaigns/{asset_id}", { params: { ...params, header } });
  assert.deepEqual([unchanged.data, unchanged.response.status], [undefined, 304]);
  const deleted = await client.DELETE("/scenarios/campaigns/{asset_id}", { params });
  assert.deepEqual([deleted.data, deleted.response.status], [undefined, 204]);
});

test("other formats are read with parseAs", async () => {
  const table = { params: { query: { limit: 3 } }, headers: { Accept: "text/csv" } };
  const { data } = await client.GET("/markets", { ...table, parseAs: "text" });
  assert.equal(data.trim().split("\n").length, 4);
  const unread = client.GET("/markets", table);
  await assert.rejects(unread, { code: "UNEXPECTED_RESPONSE", message: /pass parseAs/ });
});

test("calls without a key share a session, and account operations use an ID token", async () => {
  const anonymous = connect({ url });
  const left = [];
  for (let calls = 0; calls < 2; calls += 1) {
    left.push((await anonymous.POST("/msearch", { body: {} })).data.meta.credits_remaining);
  }
  assert.equal(left[0]! - left[1]!, 1);
  const owner = connect({ url, idToken: async () => credentials.bearer_token });
  assert.ok((await owner.GET("/account/keys")).data.data.length > 0);
});

test("error has the code, status, and details of the response", async () => {
  const path = { asset_id: crypto.randomUUID() };
  const unknown = await failureOf(client.GET("/scenarios/campaigns/{asset_id}", { params: { path } }));
  assert.deepEqual([unknown.code, unknown.status, unknown.details], ["NOT_FOUND", 404, []]);
  assert.match(`${unknown.docsUrl} ${unknown.requestId}`, /#not-found \S{8,}$/);
  for (const [path, pointer] of [["/msearch", "pointer"], ["/msearch/inventory", "reason"]] as const) {
    const invalid = await failureOf(client.POST(path, { body: { pagination: { page: 0 } } }));
    assert.deepEqual([invalid.code, invalid.status, invalid.details.length], ["VALIDATION_ERROR", 400, 1]);
    assert.ok(pointer in invalid.details[0]!, path);
  }
});

test("the key is in no error and no message", async () => {
  const responses = [new Response("<p>"), new Response("", { status: 500 })];
  const outcomes = [failure("ECONNRESET"), failure("ECONNREFUSED"), ...responses];
  for (const outcome of outcomes) {
    const { client, requests, messages } = fake([outcome, outcome], { retries: 1 });
    const error = await failureOf(client.POST("/msearch", { body: {} }));
    assert.equal(requests[0]?.headers.get("X-API-Key"), KEY);
    const printed = inspect([error, client, messages], { depth: 9, showHidden: true });
    assert.ok(!(printed + JSON.stringify(error)).includes(KEY), printed);
  }
  const notInvalid = (error: Error) => !error.message.includes(KEY);
  assert.throws(() => connect({ url, apiKey: `${KEY}\n${KEY}` }), notInvalid);
  const wrong = connect({ url, idToken: `${KEY}…` });
  await assert.rejects(wrong.GET("/account"), notInvalid);
});

test("missing connection and missing response are told apart", async () => {
  const silent = createServer(() => undefined).listen(0);
  const { port } = silent.address() as AddressInfo;
  const local = { url: `http://127.0.0.1:${port}`, retries: 0, timeout: 0.1 };
  const slow = connect(local);
  await assert.rejects(slow.GET("/markets"), { message: /no response \(TimeoutError\)/ });
  silent.closeAllConnections();
  silent.close();
  await assert.rejects(slow.GET("/markets"), { message: /cannot connect to the service \(ECONNREFUSED\)/ });
});

test("wrong options are named", async () => {
  assert.throws(() => connect({ url: "api.example.com" }), /url: "api.example.com" must start with https/);
  assert.throws(() => connect({ url, apiKey: KEY, idToken: KEY }), /pass only one of them/);
  assert.equal((await client.GET("/health")).data.version, VERSION);
});

async function failureOf(call: Promise<unknown>): Promise<MarqueeError> {
  const error: unknown = await call.then(() => undefined, (thrown) => thrown);
  assert.ok(error instanceof MarqueeError, String(error));
  return error;
}
