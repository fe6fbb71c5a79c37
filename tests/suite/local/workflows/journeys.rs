//! The five workflows of docs/workflows.md, with every answer held to the others.

use harness::price;
use http::Method;
use serde_json::{Value, json};
use shared::types::Product;

use super::super::{applied, event};
use super::{Journey, ids, list, near, number, text};

/// The counts of a report that several places' reports add up to.
const COUNTS: [&str; 5] = [
    "activities",
    "visits",
    "visits_unique_persons",
    "local_radius_visits_local",
    "local_radius_visits_non_local",
];

const CAMPAIGNS: &str = "/v2/scenarios/campaigns";

fn sum(values: &Value, of: impl Fn(&Value) -> f64) -> f64 {
    list(values).iter().map(of).sum()
}

/// Checks what holds in every report.
fn consistent(report: &Value) {
    let place = &report["places"][0];
    let visits = number(&place["visits"]);
    let local = number(&place["local_radius_visits_local"]);
    assert_eq!(local + number(&place["local_radius_visits_non_local"]), visits);
    near(number(&place["visits_frequency_per_person"]), visits / number(&place["visits_unique_persons"]));
    assert_eq!(sum(&report["days"], |day| number(&day["visits"])), visits);
    near(sum(&report["days"], |day| number(&day["percent"])), 1.0);
    for day in list(&report["days"]) {
        near(number(&day["percent"]), number(&day["visits"]) / visits);
        near(sum(&day["hours"], number), 1.0);
    }
    near(report["dwell"].as_object().expect("the bins").values().map(number).sum(), 1.0);
    for area in ["postal_code", "county", "dma", "state"] {
        assert!(sum(&report[area], |area| number(&area["weekly_visits"])) <= visits, "{area}");
        for area in list(&report[area]) {
            near(number(&area["daily_visits"]), number(&area["weekly_visits"]) / 7.0);
        }
    }
}

/// Returns a segment's index in a report.
fn index(report: &Value, segment: &str) -> f64 {
    let found = list(&report["segments"]).into_iter().find(|found| found["service_segment_id"] == segment);
    number(&found.unwrap_or_else(|| panic!("no {segment}"))["index"])
}

/// Makes the spots of a campaign of displays: their ids as texts, and numbers of the caller's own.
fn spots(displays: &[Value]) -> Value {
    let ids = displays.iter().map(|display| display["spot_id"].to_string());
    ids.zip(1..).map(|(id, number)| json!({ "display_id": id, "spot_id": number })).collect()
}

fn campaign(displays: &[Value], geography: &Value, cohort: &str, everyone: &str) -> Value {
    json!({
        "campaign": { "name": "Spring launch" },
        "flight": { "start_date": "2027-04-05", "end_date": "2027-06-27" },
        "spots": spots(displays),
        "cohort": {
            "geography_ids": [geography],
            "service_segment_ids": [cohort],
            "service_base_segment_id": everyone,
        },
        "customer": {
            "customer_id": 7,
            "customer_name": "Example Coffee",
            "customer_scenario_id": "spring-1",
            "customer_scenario_name": "Spring",
        },
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn location_analysis_finds_a_place_and_tells_who_comes_when_and_for_how_long() {
    let mut journey = Journey::start().await;
    let found =
        journey.places(json!({ "place_name": "dunkin", "address": "296 Cambridge St", "state": "MA" })).await;
    let [place] = &found[..] else { panic!("{found:?}") };
    let report = journey.report(&ids(&found)).await;
    consistent(&report);
    assert_eq!(report["places"][0]["name"], place["place_name"]);
    assert_eq!(report["places"][0]["place_id"].to_string(), text(&place["place_id"]));
    assert_eq!((&report["place_count"], &report["invalid_ids"]), (&json!(1), &json!([])));

    // Cohorts over 120 are over-represented against the nation, so the others cannot all be.
    let segments = list(&report["segments"]);
    let over = segments.iter().filter(|segment| number(&segment["index"]) > 120.0).count();
    assert!(over > 0 && over < segments.len(), "{over} of {}", segments.len());
    let days: Vec<_> = list(&report["days"]).iter().map(|day| text(&day["day"]).to_owned()).collect();
    assert_eq!(days, ["mo", "tu", "we", "th", "fr", "sa", "su"]);
    journey.cost(&[(Product::PlaceSearch, 1), (Product::PlaceReport, 1)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn competitor_analysis_gives_each_brand_the_sum_of_its_places() {
    let mut journey = Journey::start().await;
    let mut reports = 0;
    for brand in ["starbucks", "dunkin'"] {
        let found = journey.places(json!({ "place_name": brand, "city": "Naples", "state": "FL" })).await;
        assert!(found.len() > 10, "{brand}: {}", found.len());
        let ids = ids(&found);
        let whole = journey.report(&ids).await;
        consistent(&whole);
        assert_eq!(whole["place_count"], found.len());
        let (mut sums, mut minutes) = ([0.0; COUNTS.len()], 0.0);
        for id in &ids {
            let report = journey.report(std::slice::from_ref(id)).await;
            let place = &report["places"][0];
            for (sum, count) in sums.iter_mut().zip(COUNTS) {
                *sum += number(&place[count]);
            }
            minutes += number(&place["visits"]) * number(&place["visits_avg_dwell"]);
        }
        let brand = &whole["places"][0];
        assert_eq!(COUNTS.map(|count| number(&brand[count])), sums);
        near(number(&brand["visits_avg_dwell"]), minutes / number(&brand["visits"]));
        assert_eq!(brand["percentile"], Value::Null, "a rank is one place's");
        reports += 1 + ids.len() as i64;
    }
    journey.cost(&[(Product::PlaceSearch, 2), (Product::PlaceReport, reports)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn site_selection_goes_from_a_cohort_to_its_best_market_and_the_places_there() {
    let mut journey = Journey::start().await;
    let cohort = journey.cohort("income 150K+").await;
    let markets = journey.ranked_markets(&cohort).await;
    let best = &markets[0];
    assert!(
        markets[1..]
            .iter()
            .all(|market| number(&market["composition_index"]) < number(&best["composition_index"]))
    );

    let found = journey.places(json!({ "place_name": "apple store", "dma_name": best["description"] })).await;
    assert!(found.len() > 1, "{found:?}");
    let id = text(&best["geography_id"]).to_owned();
    let mut indexes = Vec::new();
    for place in &found {
        assert!(id.ends_with(text(&place["dma_id"])), "{place} is not in {id}");
        let report = journey.report(std::slice::from_ref(&place["place_id"])).await;
        consistent(&report);
        indexes.push(index(&report, &cohort));
    }
    let low = indexes.iter().copied().fold(f64::INFINITY, f64::min);
    let high = indexes.iter().copied().fold(0.0, f64::max);
    assert!(low < high && high > 100.0, "the places of the market differ: {indexes:?}");
    let reports = found.len() as i64;
    let calls = [
        (Product::CohortSearch, 1),
        (Product::PopulationAtHome, 1),
        (Product::PlaceSearch, 1),
        (Product::PlaceReport, reports),
    ];
    journey.cost(&calls).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn campaign_impact_follows_a_campaign_around_a_place_to_its_end_and_reports_on_the_places_there() {
    let mut journey = Journey::start().await;
    let (cohort, everyone) = (journey.cohort("Adults 18-34").await, journey.cohort("everyone").await);
    let around = journey.places(json!({ "zip_code": "10027" })).await;
    let profile = journey.get(&format!("/v2/place/profiles/{}", text(&around[0]["place_id"]))).await;
    let dma = &profile["data"]["market"]["dma"]["id"];
    assert_eq!(dma, "US2020XDMA501");
    let mut circle = profile["data"]["location"].clone();
    circle["distance"] = "400m".into();
    let displays = journey.displays(json!({ "geo_distance": circle, "digital": true })).await;
    assert!(!displays.is_empty());
    assert!(displays.iter().all(|display| display["location"]["dma_id"] == "501"), "{displays:?}");

    let created = journey.post(CAMPAIGNS, campaign(&displays, dma, &cohort, &everyone)).await;
    let id = text(&created["data"]["asset_id"]).to_owned();
    let one = format!("{CAMPAIGNS}/{id}");
    for (sent, state) in [
        ("purchased", "queued"),
        ("started", "in_flight"),
        ("measured", "in_flight"),
        ("completed", "completed"),
    ] {
        assert!(applied(&journey.data_dir.shown(&event(&id, sent)).await), "{sent}");
        assert_eq!(journey.get(&one).await["data"]["state"], state);
    }
    journey.spent += 25;
    let read = journey.get(&one).await;
    assert!(read["data"]["last_measured_at"].is_string(), "{read}");
    assert_eq!(list(&read["data"]["spots"]).len(), displays.len());
    assert_eq!(read["data"]["spots"], created["data"]["spots"]);

    let spots = list(&read["data"]["spots"]);
    let spot_ids: Vec<u64> =
        spots.iter().map(|spot| text(&spot["display_id"]).parse().expect("an id")).collect();
    let looked_up = journey.post("/v2/displays/lookup", json!({ "spot_ids": spot_ids })).await;
    let named = |display: &Value, name: &str| json!([display["spot_id"], display[name]]);
    let looked_up = &looked_up["data"];
    let names: Vec<_> = list(&looked_up["displays"]).iter().map(|display| named(display, "name")).collect();
    let found: Vec<_> = displays.iter().map(|display| named(display, "media_name")).collect();
    assert_eq!((names, &looked_up["unknown_ids"]), (found, &json!([])));

    let report = journey.report(&ids(&around)).await;
    consistent(&report);
    assert_eq!(report["place_count"], around.len());
    assert!(index(&report, &cohort) > 120.0, "the quarter of a university is young");
    // The purchase is booked beside the six calls of the library.
    let usage = journey.call(Method::GET, "/v2/billing/credits", None).await;
    let library = &usage["data"]["usage_month"]["by_product"]["scenario_campaign_crud"];
    let of_library = 6 * price(Product::ScenarioCampaignCrud);
    assert_eq!(library, &json!({ "calls": 6, "credits": of_library }), "{usage}");
    assert_eq!(usage["data"]["balance"], 1_000_000 - journey.spent);
    let others = [
        Product::PlaceSearch,
        Product::PlaceProfile,
        Product::InventorySearch,
        Product::DisplayLookup,
        Product::PlaceReport,
    ];
    let of_others: u64 = others.into_iter().map(price).sum();
    assert_eq!(journey.spent, (of_library + 25 + of_others) as i64);
    journey.serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prospecting_goes_from_a_cohort_to_a_draft_on_displays_in_its_best_market_that_has_some() {
    let mut journey = Journey::start().await;
    let (cohort, everyone) = (journey.cohort("Adults 25-34").await, journey.cohort("everyone").await);
    let (mut best, mut asked) = (None, 0);
    for ranked in journey.ranked_markets(&cohort).await {
        let name = text(&ranked["description"]).replace(' ', "%20").replace(',', "%2C");
        let listed = list(&journey.get(&format!("/v2/markets?q={name}")).await["data"]);
        asked += 1;
        let market = listed.into_iter().find(|market| market["market_id"] == ranked["geography_id"]);
        let market = market.unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(market["population"], ranked["all_persons"]);
        if number(&market["spots_count"]) > 0.0 {
            best = Some((ranked, market));
            break;
        }
    }
    let (best, market) = best.expect("a market with displays");
    let displays = journey.displays(json!({ "dma_name": best["description"] })).await;
    assert_eq!(market["spots_count"], displays.len());
    let name = text(&displays[0]["media_type"]["name"]).to_owned();
    let mut shortlist = journey
        .displays(json!({ "dma_name": best["description"], "media_type_name": name.to_lowercase() }))
        .await;
    assert!(shortlist.iter().all(|display| display["media_type"]["name"] == name.as_str()), "{shortlist:?}");
    let area = |display: &Value| {
        let face = &display["layouts"][0]["faces"][0];
        number(&face["width"]) * number(&face["height"])
    };
    shortlist.sort_by(|a, b| area(b).total_cmp(&area(a)));
    shortlist.truncate(3);

    let draft = journey.post(CAMPAIGNS, campaign(&shortlist, &market["market_id"], &cohort, &everyone)).await;
    let id = text(&draft["data"]["asset_id"]).to_owned();
    let read = journey.get(&format!("{CAMPAIGNS}/{id}")).await;
    assert_eq!(read["data"]["state"], "draft");
    assert_eq!(read["data"]["spots"], draft["data"]["spots"]);
    assert_eq!(list(&read["data"]["spots"]).len(), 3);
    assert_eq!(read["data"]["cohort"]["geography_ids"], json!([best["geography_id"]]));
    assert_eq!(read["data"]["cohort"]["service_segment_ids"], json!([cohort]));
    let calls = [
        (Product::CohortSearch, 2),
        (Product::PopulationAtHome, 1),
        (Product::Markets, asked),
        (Product::InventorySearch, 2),
        (Product::ScenarioCampaignCrud, 2),
    ];
    journey.cost(&calls).await;
}
