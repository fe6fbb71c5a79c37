// Example code for the generated types, which docs/how-to/clients.md shows and the workflow tests use.

import { setTimeout } from "node:timers/promises";
import { parse, stringify } from "lossless-json";
import createClient, { type Client, type ClientOptions, type Middleware } from "openapi-fetch";
import type { components, paths } from "./generated/marquee.js";

// Responses have the media type JSON unless a call requests CSV or GeoJSON.
export type Marquee = Client<paths, "application/json">;
export type Schemas = components["schemas"];

export const service = (baseUrl: string, key: string): Marquee =>
  create({ baseUrl, headers: { "X-API-Key": key } });

export const searchGateway = (searchUrl: string, key: string): Marquee =>
  create({ baseUrl: searchUrl, headers: { apikey: key } });

export function create(options: ClientOptions): Marquee {
  const bodySerializer = (body: unknown) => stringify(body) ?? "";
  const client = createClient<paths, "application/json">({ ...options, bodySerializer });
  client.use(exactIntegers);
  return client;
}

/** Reads integers beyond 2^53 as `bigint`, which `JSON.parse` would round. */
const exactIntegers: Middleware = {
  async onResponse({ response, options }) {
    if (!response.ok || response.status === 204 || options.parseAs !== "json") return undefined;
    const text = await response.text();
    const read = new Response(text, response);
    // Without this header, openapi-fetch calls `JSON.parse` instead of `json`.
    read.headers.set("Content-Length", String(text.length));
    return Object.assign(read, { json: async () => parse(text, null, numberOf) });
  },
};

function numberOf(digits: string): number | bigint {
  const number = Number(digits);
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number;
}

type ErrorAnswer =
  | Schemas["Error"]
  | Schemas["InventoryInvalid"]
  | Schemas["InventoryRateLimited"]
  | Schemas["InventoryFailed"];

/** An error response: its status, and the code to branch on. */
export class ApiError extends Error {
  constructor(readonly status: number, readonly code: string | number) {
    super(`${status} ${code}`);
  }
}

/** Returns a response's body, or throws its error. */
export async function succeeded<T>(
  call: Promise<{ data?: T; error?: ErrorAnswer; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (data !== undefined) return data;
  throw new ApiError(response.status, codeOf(error));
}

function codeOf(error: ErrorAnswer | undefined): string | number {
  if (error === undefined) return "no body";
  if (!("error" in error)) return error.message.code;
  return "code" in error.error ? error.error.code : error.error.type;
}

export async function coffeeInBoston(client: Marquee) {
  const body = { filter: { place_name: "dunkin", city: "Boston" } };
  return (await succeeded(client.POST("/msearch", { body }))).data.results;
}

/** Makes a call. After a 429 or 503, waits as long as `Retry-After` says and repeats it. */
export async function callWithRetry<T extends { response: Response }>(
  call: () => Promise<T>,
  { tries = 3, sleep = setTimeout as (milliseconds: number) => Promise<unknown> } = {},
): Promise<T> {
  let answer = await call();
  for (; [429, 503].includes(answer.response.status) && tries > 1; tries -= 1) {
    await sleep(1000 * Number(answer.response.headers.get("Retry-After")));
    answer = await call();
  }
  return answer;
}

export async function* everyMarket(client: Marquee): AsyncGenerator<Schemas["Market"]> {
  let cursor: string | undefined;
  do {
    const query = { limit: 100, cursor };
    const page = await succeeded(client.GET("/markets", { params: { query } }));
    yield* page.data;
    cursor = page.pagination.cursor ?? undefined;
  } while (cursor !== undefined);
}

/** Creates one campaign even if responses are lost: each attempt has the same key and body. */
export async function createOnce(client: Marquee, body: Schemas["CampaignAssetCreateRequest"], tries = 3) {
  const header = { "Idempotency-Key": crypto.randomUUID() };
  for (;;) {
    tries -= 1;
    try {
      const answer = await client.POST("/scenarios/campaigns", { params: { header }, body });
      if (answer.response.status < 500 || tries === 0) return answer;
    } catch (lost) {
      if (tries === 0) throw lost;
    }
  }
}
