// Imports campaigns from a file into Marquee, and prints their estimates:
//
//   node import-campaigns.js campaigns.json
//
// The environment variables MARQUEE_URL and MARQUEE_API_KEY contain the address and the key. You can run the
// program again: it estimates existing campaigns, but doesn't create them a second time.

import { readFileSync } from "node:fs";
import process from "node:process";
import { type components, connect, parseJson } from "marquee-client";

type Schemas = components["schemas"];

/** A campaign in the file, which names its market and its audience, and describes its displays. */
interface Planned {
  name: string;
  filter: Schemas["InventoryFilter"];
  market: string;
  audience: string;
  start_date: string;
  end_date: string;
  customer_id: number | bigint;
}

const { MARQUEE_URL = "", MARQUEE_API_KEY } = process.env;
const client = connect({ url: MARQUEE_URL, apiKey: MARQUEE_API_KEY });
// Unlike `JSON.parse`, `parseJson` keeps the customer IDs exact.
const planned = parseJson(readFileSync(process.argv[2] ?? "campaigns.json", "utf8")) as Planned[];

const markets = new Map<string, string>();
for await (const { name, market_id } of client.items("/markets")) markets.set(name, market_id);

const everyone = await segment("everyone");
for (const campaign of planned) {
  const body = { asset_id: (await stored(campaign)) ?? (await create(campaign)) };
  const { data: estimate } = await client.POST("/measures/campaigns/estimate", { body });
  const { impressions, reach, frequency } = estimate.data.totals;
  const displays = estimate.data.displays.length;
  console.log(
    `${campaign.name}: ${displays} displays, ${impressions.toLocaleString("en-US")} impressions, ` +
      `${reach?.toLocaleString("en-US") ?? "unknown"} of the ${campaign.audience} reached ` +
      `${frequency?.toFixed(1) ?? "an unknown number of"} times`,
  );
}

/** Returns the id of the campaign if it was created before. */
async function stored({ name }: Planned): Promise<string | undefined> {
  const query = { customer_scenario_id: name, limit: 1 };
  const { data } = await client.GET("/scenarios/campaigns", { params: { query } });
  return data.data[0]?.asset_id;
}

async function create(campaign: Planned): Promise<string> {
  const market = markets.get(campaign.market);
  if (market === undefined) throw new Error(`market: "${campaign.market}" is unknown`);
  const spots: Schemas["CampaignSpotInput"][] = [];
  const search = { filter: campaign.filter, fieldSet: ["id" as const] };
  for await (const { spot_id } of client.items("/msearch/inventory", { body: search })) {
    spots.push({ display_id: String(spot_id), spot_id: spots.length + 1 });
  }
  const { data } = await client.POST("/scenarios/campaigns", {
    body: {
      campaign: { name: campaign.name },
      flight: { start_date: campaign.start_date, end_date: campaign.end_date },
      spots,
      cohort: {
        geography_ids: [market],
        service_segment_ids: [await segment(campaign.audience)],
        service_base_segment_id: everyone,
      },
      customer: {
        customer_id: campaign.customer_id,
        customer_name: "Example Coffee",
        customer_scenario_id: campaign.name,
        customer_scenario_name: campaign.name,
      },
    },
  });
  return data.data.asset_id;
}

/** Returns the id of the cohort that fits a description best. */
async function segment(text: string): Promise<string> {
  const body = { service_data_product_name: "Population At Home", search_text: text };
  const { data } = await client.POST("/cohorts/search", { body });
  const [best] = data.cohorts;
  if (best === undefined) throw new Error(`audience: no cohort matches "${text}"`);
  return best.service_segment_id;
}
