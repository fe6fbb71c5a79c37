// Code that the tests share: clients of the running service, and calls that several workflows make.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Schemas, searchGateway, service, succeeded } from "./calls.js";

const { MARQUEE = "", MARQUEE_DATA = "" } = process.env;

export const credentials: Record<"base_url" | "search_url" | "enterprise_key" | "sandbox_key", string> =
  JSON.parse(readFileSync(`${MARQUEE_DATA}/credentials.json`, "utf8"));
export const client = service(credentials.base_url, credentials.enterprise_key);
export const search = searchGateway(credentials.search_url, credentials.enterprise_key);

/** Returns a function that returns the credits used since `spending` was called. */
export async function spending(): Promise<() => Promise<number>> {
  const spent = async () => (await succeeded(client.GET("/billing/credits"))).data.credits_used;
  const before = await spent();
  return async () => (await spent()) - before;
}

export async function places(
  filter: Schemas["PlaceSearchRequest"]["filter"],
  pageSize = 50,
): Promise<Schemas["FoundPlace"][]> {
  const body = { filter, pagination: { page_size: pageSize } };
  return (await succeeded(client.POST("/msearch", { body }))).data.results;
}

export async function report(places: Schemas["FoundPlace"][]): Promise<Schemas["PlaceReportReply"]> {
  const body = { place_id: places.map(({ place_id }) => given(place_id)) };
  return succeeded(client.POST("/measures/place/report", { body }));
}

export async function cohort(text: string): Promise<string> {
  const body = { service_data_product_name: "Population At Home", search_text: text };
  const { cohorts } = await succeeded(client.POST("/cohorts/search", { body }));
  return given(cohorts[0]).service_segment_id;
}

/** Returns a cohort's population by television market, starting with the highest index. */
export async function atHome(cohort: string): Promise<Schemas["PopulationArea"][]> {
  const body = { service_segment_id: cohort, geography_type: ["DMA"] };
  const { results } = await succeeded(client.POST("/measures/population/at_home", { body }));
  return results.sort((one, other) => other.composition_index - one.composition_index);
}

export const displays = (body: Schemas["InventorySearchRequest"]) =>
  succeeded(search.POST("/msearch/inventory", { body }));
export type Display = Awaited<ReturnType<typeof displays>>["results"][number];

/** Returns a campaign on the given displays. The spots are numbered from 1. */
export function campaign(
  name: string,
  spots: number[],
  market: string,
  cohort: string,
  everyone: string,
): Schemas["CampaignAssetCreateRequest"] {
  return {
    campaign: { name },
    flight: { start_date: "2027-04-05", end_date: "2027-06-27" },
    spots: spots.map((spot, at) => ({ display_id: String(spot), spot_id: at + 1 })),
    cohort: { geography_ids: [market], service_segment_ids: [cohort], service_base_segment_id: everyone },
    customer: {
      customer_id: 7,
      customer_name: "Example Coffee",
      customer_scenario_id: name,
      customer_scenario_name: name,
    },
  };
}

/** Sends a measurement event with the command line. */
export function measure(asset: string, event: string): { outcome: string } {
  const sent = ["--org", "org_enterprise", "--family", "campaign", "--asset", asset, "--type", event];
  const command = ["measurement", "send", ...sent, "--data-dir", MARQUEE_DATA];
  const printed = execFileSync(MARQUEE, command, { stdio: "pipe" });
  return JSON.parse(printed.toString());
}

/** Returns an optional member of a response that the call requested. */
export function given<T>(member: T | null | undefined): T {
  if (member === null || member === undefined) throw new TypeError("the response lacks a member");
  return member;
}
