// The five workflows in docs/how-to/workflows.md. They run in sequence, so that each can count its credits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createOnce, everyMarket, succeeded } from "./calls.js";
import {
  atHome, campaign, client, cohort, type Display, displays, given, measure, places, report, spending,
} from "./workflow.js";

test("location analysis: describes the visitors of a place", async () => {
  const cost = await spending();
  const found = await places({ place_name: "dunkin", address: "296 Cambridge St", state: "MA" });
  assert.deepEqual(
    found.map(({ place_id, place_name, dma_name }) => [place_id, place_name, dma_name]),
    [["103588410168", "Dunkin'", "Boston (Manchester)"]],
  );

  const told = await report(found);
  const place = given(told.places[0]);
  assert.deepEqual([place.place_id, told.place_count, told.invalid_ids], [103588410168, 1, []]);
  assert.equal(place.local_radius_visits_local + place.local_radius_visits_non_local, place.visits);
  assert.equal(place.visits, found[0]?.weekly_visits);
  assert.equal(told.meta.provenance.data_maturity, "synthetic-only");

  const over = told.segments.filter(({ index }) => index > 120).map(({ description }) => description);
  assert.ok(over.includes("Adults 18-19"), String(over));
  assert.deepEqual(told.days.map(({ day }) => day), ["mo", "tu", "we", "th", "fr", "sa", "su"]);
  const busiest = told.days.map(({ hours }) => hours.indexOf(Math.max(...hours)));
  assert.deepEqual([busiest[0], busiest[6]], [7, 9]);
  const [most] = Object.entries(told.dwell).sort(([, one], [, other]) => other - one);
  assert.equal(most?.[0], "persons_000_030min");
  assert.equal(await cost(), 2);
});

test("competitor analysis: compares two chains in one city", async () => {
  const cost = await spending();
  const visits: [number, string][] = [];
  for (const [brand, count] of [["starbucks", 6], ["dunkin", 2]] as const) {
    const found = await places({ place_name: brand, city: "Tuscaloosa", state: "AL" });
    assert.equal(found.length, count);
    let sum = 0;
    for (const place of found) {
      const single = given((await report([place])).places[0]);
      assert.notEqual(single.percentile, null);
      visits.push([single.visits, single.name]);
      sum += single.visits;
    }
    const together = await report(found);
    const aggregate = given(together.places[0]);
    assert.deepEqual([together.place_count, aggregate.visits, aggregate.percentile], [count, sum, null]);
  }
  const ranked = visits.sort(([one], [other]) => other - one).map(([, name]) => name);
  assert.deepEqual(ranked.slice(0, 2), ["Dunkin'", "Dunkin'"]);
  assert.equal(await cost(), 12);
});

test("site selection: finds places in the market of a cohort", async () => {
  const cost = await spending();
  const rich = await cohort("income 150K+");
  assert.equal(rich, "5718249a-ea3d-55a2-9b1c-718403779aa8");
  const markets = await atHome(rich);
  const best = markets.slice(0, 3).map(({ geography_id }) => geography_id);
  assert.deepEqual(best, ["US2020XDMA807", "US2020XDMA511", "US2020XDMA506"]);

  const sites = await places({ place_name: "apple store", dma_name: given(markets[0]).description });
  assert.equal(sites.length, 18);
  const indices: [number, string][] = [];
  for (const site of sites) {
    const told = await report([site]);
    const segment = told.segments.find(({ service_segment_id }) => service_segment_id === rich);
    indices.push([given(segment).index, given(told.places[0]).name]);
  }
  const ranked = indices.sort(([one], [other]) => other - one);
  assert.equal(ranked[0]?.[1], "Apple Store Stanford Shopping Center");
  assert.ok(ranked.slice(0, 3).every(([index]) => index > 200));
  assert.equal(await cost(), 21);
});

test("campaign impact: creates and measures a campaign around a place", async () => {
  const cost = await spending();
  const [place] = await places({ place_name: "starbucks", address: "3165 Broadway", state: "NY" });
  const path = { place_id: given(given(place).place_id) };
  const profile = (await succeeded(client.GET("/place/profiles/{place_id}", { params: { path } }))).data;
  const market = given(profile.market.dma);
  assert.deepEqual([profile.postal_code, market.id, market.name], ["10027", "US2020XDMA501", "New York"]);

  const around = await displays({
    filter: { geo_distance: { ...profile.location, distance: "400m" }, digital: true },
    fieldSet: ["id", "media_name", "location.primary_artery"],
  });
  const spots = around.results.map(({ spot_id }) => given(spot_id));
  assert.deepEqual([around.total, spots.length, spots[0]], [7, 7, 13320188]);

  const [reached, everyone] = [await cohort("adults 18-34"), await cohort("everyone")];
  const created = await createOnce(client, campaign("Spring", spots, market.id, reached, everyone));
  const { data, meta } = given(created.data);
  assert.deepEqual([data.state, data.version, meta.warnings], ["draft", 1, []]);
  assert.equal(created.response.headers.get("ETag"), '"1"');

  await looksUp(data.asset_id, spots);
  for (const event of ["purchased", "started", "measured", "completed"]) {
    assert.equal(measure(data.asset_id, event).outcome, "applied", event);
  }
  await isCompletedAndLocked(data.asset_id);

  const near = await places({ zip_code: profile.postal_code }, 1000);
  const told = await report(near);
  assert.deepEqual([told.place_count, near.length], [31, 31]);
  const segment = told.segments.find(({ service_segment_id }) => service_segment_id === reached);
  assert.ok(given(segment).index > 120);
  // The workflow with a measurement costs 33 credits, and the two rejected calls cost 2 credits.
  assert.equal(await cost(), 35);
});

/** Checks that looking up the displays of a stored campaign finds all of them. */
async function looksUp(asset: string, spots: number[]) {
  const params = { path: { asset_id: asset } };
  const stored = await succeeded(client.GET("/scenarios/campaigns/{asset_id}", { params }));
  const body = { spot_ids: stored.data.spots.map(({ display_id }) => Number(display_id)) };
  const lookedUp = (await succeeded(client.POST("/displays/lookup", { body }))).data;
  assert.deepEqual(lookedUp.displays.map(({ spot_id }) => spot_id), spots);
  assert.deepEqual([lookedUp.unknown_ids, lookedUp.displays[0]?.operator], [[], "CityBridge"]);
}

async function isCompletedAndLocked(asset: string) {
  const params = { path: { asset_id: asset } };
  const stored = await succeeded(client.GET("/scenarios/campaigns/{asset_id}", { params }));
  assert.equal(stored.data.state, "completed");
  assert.notEqual(stored.data.last_measured_at, null);
  const edited = await client.PATCH("/scenarios/campaigns/{asset_id}", { params, body: {} });
  assert.deepEqual([edited.response.status, edited.error?.error.code], [400, "ASSET_NOT_EDITABLE"]);
  const deleted = await client.DELETE("/scenarios/campaigns/{asset_id}", { params });
  assert.deepEqual([deleted.response.status, deleted.error?.error.code], [400, "ASSET_NOT_DELETABLE"]);
}

test("prospecting: creates a draft in the market of an audience", async () => {
  const cost = await spending();
  const [reached, everyone] = [await cohort("adults 25-34"), await cohort("everyone")];
  const people = await atHome(reached);
  const first = people.slice(0, 3).map(({ description }) => description);
  assert.deepEqual(first, ["Fairbanks", "Austin", "Seattle-Tacoma"]);

  const spotsCount = new Map<string, number>();
  for await (const { market_id, spots_count } of everyMarket(client)) spotsCount.set(market_id, spots_count);
  assert.equal(spotsCount.size, 210);
  const withDisplays = people.filter(({ geography_id }) => spotsCount.get(geography_id));
  const markets = withDisplays.map(({ geography_id }) => geography_id);
  assert.deepEqual(markets, ["US2020XDMA807", "US2020XDMA501"]);

  const found = await displays({
    filter: { dma_name: withDisplays[0]?.description, media_type_name: "Bulletin", search: "mission st" },
    fieldSet: ["id", "layouts.faces", "location.primary_artery"],
    pagination: { page_size: 1000 },
  });
  assert.deepEqual([found.total, found.results.length], [40, 40]);
  const shortlist = found.results.sort((one, other) => size(other) - size(one)).slice(0, 3);
  const spots = shortlist.map(({ spot_id }) => given(spot_id));
  assert.deepEqual(spots, [14947480, 26045640, 30699441]);

  const draft = campaign("Prospects", spots, given(markets[0]), reached, everyone);
  const { data } = await succeeded(createOnce(client, draft));
  assert.deepEqual([data.state, data.cohort.geography_ids], ["draft", [markets[0]]]);
  assert.deepEqual(data.spots.map(({ display_id }) => display_id), spots.map(String));
  assert.equal(await cost(), 4);
});

function size(record: Display): number {
  const face = given(record.layouts?.[0]?.faces?.[0]);
  return given(face.width) * given(face.height);
}
