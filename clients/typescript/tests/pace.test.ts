import assert from "node:assert/strict";
import { test } from "node:test";
import { fake, service, credentials } from "./support.js";

const limited = (header: string) => Response.json({}, { headers: { RateLimit: header } });

test("call that a limit would refuse waits for the next window", async () => {
  const { client, requests, waits } = fake([limited('"minute";r=2;t=40')]);
  for (let calls = 0; calls < 3; calls += 1) await client.GET("/markets");
  assert.deepEqual([requests.length, waits], [3, []]);
  await client.GET("/markets");
  assert.deepEqual([requests.length, waits], [4, [40]]);
});

test("calls without a response yet are counted", async () => {
  const { client, waits } = fake([3, 2, 2].map((left) => limited(`"minute";r=${left};t=40`)));
  await client.GET("/markets");
  await Promise.all([client.GET("/markets"), client.GET("/markets"), client.GET("/markets")]);
  assert.deepEqual(waits, []);
  await client.GET("/markets");
  assert.deepEqual(waits, [40]);
});

test("other limits don't delay a call", async () => {
  const inventory = limited('"minute";r=50;t=20, "inventory";r=0;t=20');
  const { client, waits } = fake([inventory, limited('"minute";r=0;t=30')]);
  await client.POST("/displays/lookup", { body: { spot_ids: [1] } });
  await client.GET("/account/keys");
  await client.GET("/markets");
  assert.deepEqual(waits, []);
  await client.GET("/account");
  assert.deepEqual(waits, [30]);
  await client.POST("/msearch/inventory", { body: {} });
  assert.deepEqual(waits, [30]);
});

test("client waits before the service refuses a call", async () => {
  const waits: number[] = [];
  const stop = new Error("waiting");
  const sleep = async (seconds: number) => {
    waits.push(seconds);
    throw stop;
  };
  const statuses: number[] = [];
  const clock = { now: () => performance.now() / 1000, sleep };
  const client = service({ apiKey: credentials.sandbox_key, clock });
  const calls = async () => {
    for (;;) statuses.push((await client.GET("/billing/credits")).response.status);
  };
  await assert.rejects(calls(), stop);
  // The 10 calls of a minute, or up to 20 if a minute ends between them.
  assert.ok(statuses.length >= 10 && statuses.length <= 20, String(statuses.length));
  assert.deepEqual([...new Set(statuses)], [200]);
  assert.ok(waits[0]! > 0 && waits[0]! <= 60, String(waits));
});
