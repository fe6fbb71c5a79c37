// Responses with members, values, codes, and a version that the contract doesn't list.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ApiError, create, succeeded } from "./calls.js";

interface Later { path: string; method: string; operation: string; status: number; body: unknown }

const responses: Later[] = JSON.parse(readFileSync(new URL("../later.json", import.meta.url), "utf8"));

/** Returns a client that receives one of the responses for every call. */
function receiving({ status, body }: Pick<Later, "status" | "body">) {
  const headers = { "Content-Type": "application/json" };
  return create({ baseUrl: "http://127.0.0.1", fetch: async () => Response.json(body, { status, headers }) });
}

const of = (operation: string, status: number): Later => {
  const found = responses.find((one) => one.operation === operation && one.status === status);
  assert.ok(found);
  return found;
};

test("every response is read with its new members", async () => {
  assert.ok(responses.length > 300, String(responses.length));
  for (const later of responses) {
    // The path's parameters don't matter, because the response is given.
    const { data, error } = await receiving(later).request(later.method as "get", later.path as "/health");
    assert.deepEqual(data ?? error, later.body, later.operation);
  }
});

// Types that list all values would reject these comparisons.
test("new values compile and arrive", async () => {
  const params = { path: { asset_id: "1" } };
  const campaign = receiving(of("read_campaign", 200));
  const { meta } = await succeeded(campaign.GET("/scenarios/campaigns/{asset_id}", { params }));
  assert.ok(meta.product === "new_value" && meta.version === "9.9.9");
  assert.ok(meta.provenance.data_maturity === "new_value");
  const { error } = await receiving(of("read_campaign", 404)).GET("/scenarios/campaigns/{asset_id}", { params });
  assert.ok(error?.error.code === "new_value" && error.error.product === "new_value");
});

test("new error code is thrown", async () => {
  const markets = succeeded(receiving(of("list_markets", 400)).GET("/markets"));
  await assert.rejects(markets, (thrown: unknown) => thrown instanceof ApiError && thrown.code === "new_value");
});
