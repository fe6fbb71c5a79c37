import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, connect, MarqueeError } from "marquee-client";
import { campaign, contract, fake, failure, KEY } from "./support.js";

const failed = (status: number, charged?: string) => () =>
  new Response("{}", { status, headers: { "Retry-After": "2", ...(charged && { "X-Credits-Used": charged }) } });
const failures = {
  lost: () => failure("UND_ERR_SOCKET"),
  unconnected: () => failure("ECONNREFUSED"),
  refunded: failed(503, "0"),
  charged: failed(503, "1"),
  unknown: failed(503),
  limited: failed(429, "0"),
};
const path = { asset_id: "1" };
const calls: Record<string, [(client: Client) => Promise<unknown>, (keyof typeof failures)[]]> = {
  "create campaign": [
    (client) => client.POST("/scenarios/campaigns", { body: campaign("new") }),
    ["lost", "unconnected", "refunded", "limited"],
  ],
  "buy measurement": [
    (client) => client.POST("/measures/campaigns/{asset_id}", { params: { path } }),
    ["lost", "unconnected", "refunded", "limited"],
  ],
  "free read": [
    (client) => client.GET("/billing/usage"),
    ["lost", "unconnected", "refunded", "charged", "unknown", "limited"],
  ],
  "paid search": [(client) => client.POST("/msearch", { body: {} }), ["unconnected", "refunded", "limited"]],
  "edit": [
    (client) => client.PATCH("/scenarios/campaigns/{asset_id}", { params: { path }, body: {} }),
    ["unconnected", "refunded", "limited"],
  ],
  "free create": [
    (client) => client.POST("/account/keys", { body: { label: "new", scopes: ["analytics"] } }),
    ["unconnected", "limited"],
  ],
};

for (const [name, [call, repeated]] of Object.entries(calls)) {
  test(`${name} is repeated only after ${repeated.join(", ")}`, async () => {
    for (const [kind, outcome] of Object.entries(failures)) {
      const { client, requests } = fake([outcome()]);
      const isRepeated = repeated.some((one) => one === kind);
      if (isRepeated) await call(client);
      else await assert.rejects(call(client), MarqueeError, kind);
      assert.equal(requests.length, isRepeated ? 2 : 1, kind);
    }
  });
}

test("only free reads, batches, and keyed calls are repeated after a lost response", async () => {
  const repeated: string[] = [];
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of ["get", "post", "put", "patch", "delete"].filter((one) => item[one])) {
      const { client, requests } = fake([failure("ECONNRESET")]);
      const call = client[method.toUpperCase() as "GET"](path as "/health");
      await call.catch((error) => assert.equal(error.code, "NO_RESPONSE"));
      const { operationId, responses } = item[method];
      if (requests.length === 2 && (method !== "get" || responses[402])) repeated.push(operationId);
    }
  }
  assert.deepEqual(repeated, [
    "create_campaign", "batch_campaigns", "create_event", "batch_events", "look_up_displays",
    "search_cohorts", "buy_campaign_measurement", "buy_event_measurement",
  ]);
});

test("attempts of a create send the same body and key, and wait as long as the service says", async () => {
  const outcomes = [failures.lost(), failures.limited(), failures.refunded()];
  const { client, requests, waits, messages } = fake(outcomes);
  await client.POST("/scenarios/campaigns", { body: campaign("once") });
  const keys = new Set(requests.map(({ headers }) => headers.get("Idempotency-Key")));
  assert.match([...keys].join(), /^[0-9a-f-]{36}$/);
  for (const request of requests) assert.deepEqual(await request.json(), campaign("once"));
  assert.deepEqual(waits.slice(1), [2, 2]);
  assert.match(messages.join(), /^create_campaign: waiting \d\.\d s before attempt 2,.*attempt 4$/);
});

test("own idempotency key is kept", async () => {
  const { client, requests } = fake([]);
  const params = { header: { "Idempotency-Key": "own" } };
  await client.POST("/scenarios/campaigns", { params, body: campaign("own") });
  assert.equal(requests[0]?.headers.get("Idempotency-Key"), "own");
});

test("repetitions end", async () => {
  const { client, requests, waits } = fake(Array.from({ length: 9 }, failures.limited), { retries: 3 });
  await assert.rejects(client.GET("/markets"), { code: "HTTP_429", status: 429, retryAfter: 2 });
  assert.deepEqual([requests.length, waits], [4, [2, 2, 2]]);
});

test("long wait is thrown as an error", async () => {
  const { client, waits } = fake([new Response("", { status: 429, headers: { "Retry-After": "3600" } })]);
  await assert.rejects(client.GET("/markets"), { status: 429, retryAfter: 3600 });
  assert.deepEqual(waits, []);
});

test("lost response of a paid call may be charged", async () => {
  const message = /^estimate_campaign: no response \(UND_ERR_SOCKET\), .* or been charged$/;
  const { client } = fake([failures.lost()]);
  const body = { asset_id: "1" };
  const call = client.POST("/measures/campaigns/estimate", { body });
  await assert.rejects(call, { code: "NO_RESPONSE", message });
});

test("aborted call isn't repeated", async () => {
  const { client, requests } = fake([failures.lost()]);
  const reason = new Error("no longer needed");
  await assert.rejects(client.GET("/markets", { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(requests.length, 1);
});

test("aborted wait ends at once", { timeout: 10_000 }, async () => {
  const response = () => new Response("", { status: 429, headers: { "Retry-After": "60" } });
  for (const schedule of [(abort: () => void) => abort(), queueMicrotask]) {
    const leaving = new AbortController();
    const log = { info: () => schedule(() => leaving.abort()), warn: () => undefined };
    const client = connect({ url: "https://api.example.com", fetch: async () => response(), log });
    await assert.rejects(client.GET("/markets", { signal: leaving.signal }), { name: "AbortError" });
  }
});

test("redirection isn't followed, because it would send the key to another host", async () => {
  const headers = { Location: "https://example.org" };
  const { client, requests } = fake([new Response("", { status: 307, headers })]);
  await assert.rejects(client.GET("/markets"), { code: "HTTP_307" });
  assert.deepEqual([requests[0]?.redirect, requests[0]?.headers.get("X-API-Key")], ["manual", KEY]);
});
