// The service that the tests call, and a fake service with its own clock.

import { readFileSync } from "node:fs";
import { type components, connect, type Options } from "marquee-client";

const { MARQUEE_DATA, MARQUEE_CONTRACT } = process.env;

export const credentials: Record<"base_url" | "enterprise_key" | "sandbox_key" | "bearer_token", string> =
  JSON.parse(readFileSync(`${MARQUEE_DATA}/credentials.json`, "utf8"));
export const url = credentials.base_url;
export const contract: { paths: Record<string, Record<string, any>> } =
  JSON.parse(readFileSync(MARQUEE_CONTRACT ?? "", "utf8"));

/** Returns a client of the service. */
export const service = (options: Partial<Options> = {}) =>
  connect({ url, apiKey: credentials.enterprise_key, ...options });

/** A key that errors and messages must not contain. */
export const KEY = "key-in-no-message";

/** Returns an error as Node's `fetch` throws it. */
export const failure = (code: string) => new TypeError("fetch failed", { cause: { code, request: KEY } });

/** Returns a client of a fake service, which returns the given outcomes first and then empty successes. */
export function fake(outcomes: (Response | Error)[], options: Partial<Options> = {}) {
  const requests: Request[] = [];
  const waits: number[] = [];
  const messages: string[] = [];
  const log = (message: string) => messages.push(message);
  let time = 0;
  const client = connect({
    url: "https://api.example.com",
    apiKey: KEY,
    searchUrl: "https://search.example.com",
    async fetch(request) {
      requests.push(request);
      const outcome = outcomes.shift() ?? Response.json({});
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    clock: {
      now: () => time,
      async sleep(seconds) {
        waits.push(seconds);
        time += seconds;
      },
    },
    log: { info: log, warn: log },
    ...options,
  });
  return { client, requests, waits, messages };
}

const COHORT = "10a19720-9af1-519f-9ff6-a129fe8adb3e";
export const EVERYONE = "272d18b6-2ce5-5301-87a8-b41e86cc9d31";

/** Returns the body of a campaign in New York. */
export function campaign(name: string): components["schemas"]["CampaignAssetCreateRequest"] {
  return {
    flight: { start_date: "2027-04-05", end_date: "2027-06-27" },
    spots: [{ display_id: "13320188", spot_id: 1 }],
    cohort: {
      geography_ids: ["US2020XDMA501"], service_segment_ids: [COHORT], service_base_segment_id: EVERYONE,
    },
    customer: {
      customer_id: 7,
      customer_name: "Example Coffee",
      customer_scenario_id: name,
      customer_scenario_name: name,
    },
  };
}
