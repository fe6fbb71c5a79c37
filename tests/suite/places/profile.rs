//! Place profiles: they match the place's report, contain the right market, and label their figures as
//! modelled.
use std::sync::OnceLock;

use accounting::Product;
use dataset::{Geographies, GeographyIndex};
use harness::{Answer, TestOrg, World, price, sample_release, samples};
use serde_json::{Value, json};

use super::{place, report, some_places};

const PERFORMANCE: [&str; 11] = [
    "activities",
    "visits",
    "visits_unique_persons",
    "visits_avg_dwell",
    "visits_frequency_per_person",
    "percentile",
    "certified",
    "maturity",
    "local_radius_visits_local",
    "local_radius_visits_non_local",
    "constants_of_type",
];

fn path(id: impl std::fmt::Display) -> String {
    format!("/v2/place/profiles/{id}")
}

async fn read(world: &World, org: &TestOrg, id: impl std::fmt::Display) -> Answer {
    world.get(&path(id)).key(&org.key).send().await
}

fn area(index: Option<GeographyIndex>) -> Value {
    static GEOGRAPHIES: OnceLock<Geographies> = OnceLock::new();
    let open = || Geographies::open(sample_release()).expect("the sample's geographies");
    let geographies = GEOGRAPHIES.get_or_init(open);
    index.map_or(Value::Null, |index| {
        let area = geographies.get(index);
        json!({ "id": area.id.to_string(), "name": area.name })
    })
}

#[tokio::test]
async fn profile_contains_place_market_and_performance() {
    let (world, org) = World::with_org().await;
    for id in [samples::place().raw()].into_iter().chain(some_places(2, 30)) {
        let known = place(dataset::PlaceId::from_raw(id));
        let answer = read(&world, &org, id).await;
        assert_eq!(answer.json()["meta"]["provenance"]["data_maturity"], "synthetic-only");
        let mut profile = answer.data();
        let state = profile["market"]["state"].take();
        assert!(state["id"].as_str().is_some_and(|id| id.starts_with("US2020XXST")), "{state}");
        let mut expected = json!({
            "place_id": id,
            "name": known.name,
            "brand": known.brand,
            "street_address": known.street_address,
            "city": known.city,
            "state": known.state,
            "postal_code": known.zip_code,
            "location": { "lat": known.latitude, "lon": known.longitude },
            "market": {
                "county": area(known.county),
                "state": null,
                "cbsa": area(known.cbsa),
                "dma": area(known.dma),
            },
            "place_type_id": known.place_type_id,
            "place_type": known.place_type,
            "published_date": known.published_date,
        });
        // The figures are the same as in a report on the place.
        let reported = report(&world, &org, &json!([id])).await["places"][0].take();
        for member in PERFORMANCE {
            expected[member] = reported[member].clone();
        }
        assert_eq!(profile, expected);
        assert!(profile["visits"].is_u64(), "every place of the sample has measures");
    }
}

#[tokio::test]
async fn well_known_place_has_the_right_market() {
    let (world, org) = World::with_org().await;
    let profile = read(&world, &org, samples::place()).await.data();
    let market = json!({
        "county": { "id": "US2020STCO06075", "name": "San Francisco County, CA" },
        "state": { "id": "US2020XXST06", "name": "California" },
        "cbsa": { "id": "US2020XMSA41860", "name": "San Francisco-Oakland-Fremont, CA" },
        "dma": area(place(samples::place()).dma),
    });
    assert_eq!(profile["market"], market);
    assert_eq!(profile["market"]["dma"]["id"], "US2020XDMA807");
    let (north, east) = (profile["location"]["lat"].as_f64(), profile["location"]["lon"].as_f64());
    assert!((37.7..37.9).contains(&north.unwrap()) && (-122.6..-122.3).contains(&east.unwrap()));
}

#[tokio::test]
async fn accepts_ids_from_search_and_report() {
    let (world, org) = World::with_org().await;
    let id = samples::place();
    let found =
        super::search(&world, &org, &json!({ "filter": { "place_ids": [id.raw()] } })).await["results"][0]
            .take();
    let by_text = read(&world, &org, found["place_id"].as_str().expect("a string")).await.data();
    let by_number = read(&world, &org, by_text["place_id"].as_u64().expect("a number")).await.data();
    assert_eq!(by_text, by_number);
    // All organizations share the same places.
    let other = world.org("org_b").await;
    assert_eq!(read(&world, &other, id).await.data(), by_text);
}

#[tokio::test]
async fn unknown_place_returns_404() {
    let (world, org) = World::with_org().await;
    let known = samples::place().to_string();
    for id in [
        "1",
        "0",
        "999999999999",
        "18446744073709551615",
        "18446744073709551616",
        "-1",
        "+1",
        "abc",
        "1.0",
        "1e3",
        "%20",
        "%00",
        "%FF",
        "%D9%A1",
        "US2020XDMA501",
        &format!("+{known}"),
        &format!("%2B{known}"),
        &format!("{known}%20"),
        &format!("{known}.0"),
        &format!("0x{known}"),
        &"9".repeat(1_000),
    ] {
        let answer = read(&world, &org, id).await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{id:.40}: {}", answer.text());
        assert_eq!(answer.credits_used(), price(Product::PlaceProfile), "{id:.40}: a 404 is charged");
        assert!(answer.text().contains("POST /v2/msearch"), "the error says how to find IDs");
    }
}
