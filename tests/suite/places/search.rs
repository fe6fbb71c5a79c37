//! Place search: each filter returns the same places as the equivalent query. Tests in `dataset` compare
//! query results with the results of a plain loop.
use std::collections::BTreeSet;
use std::sync::OnceLock;

use dataset::{
    Circle, Geographies, Geography, GeographyIndex, GeographyType, Measures, Place, PlaceId, PlaceQuery,
    Rectangle,
};
use harness::{World, sample_release, samples};
use serde_json::{Value, json};

use super::{all_places, ask, everything, found_of, ids, place, places, results, search, total};

fn geographies() -> &'static Geographies {
    static GEOGRAPHIES: OnceLock<Geographies> = OnceLock::new();
    GEOGRAPHIES.get_or_init(|| Geographies::open(sample_release()).expect("the sample's geographies"))
}

/// Returns the TV market (DMA) that contains a place.
fn dma(place: &Place<'_>) -> Option<Geography<'static>> {
    place.dma.map(|dma| geographies().get(dma))
}

fn area(geography_type: GeographyType, name: &str) -> GeographyIndex {
    let mut areas = geographies().of_type(geography_type);
    areas.find(|area| geographies().get(*area).name == name).expect("an area of the sample")
}

fn type_id(name: &str) -> u32 {
    all_places().find(|place| place.place_type == name).expect("a place of the type").place_type_id
}

/// Returns filters and their equivalent queries, covering every criterion and every accepted notation for
/// IDs.
fn cases() -> Vec<(Value, PlaceQuery<'static>)> {
    let of = |text: &str| Some(text.to_owned());
    let all = || everything(1_000);
    let (one, coffee, airport) = (samples::place(), type_id("Coffee Shop"), type_id("Airport"));
    let many = super::some_places(1, 1_000);
    let of_ids = |ids: &[u64]| PlaceQuery {
        place_ids: Some(ids.iter().map(|id| PlaceId::from_raw(*id)).collect()),
        ..all()
    };
    let of_types = |ids: &[u32]| PlaceQuery { place_type_ids: Some(ids.to_vec()), ..all() };
    let circle = |lat: f64, lon: f64, distance: &str, km: f64| {
        let filter = json!({ "geo_distance": { "lat": lat, "lon": lon, "distance": distance } });
        (filter, PlaceQuery { circle: Some(Circle { center: (lat, lon).into(), km }), ..all() })
    };
    let rectangle = |north: f64, west: f64, south: f64, east: f64| {
        let corner = |lat, lon| json!({ "lat": lat, "lon": lon });
        let corners = json!({ "top_left": corner(north, west), "bottom_right": corner(south, east) });
        let rectangle = Some(Rectangle { north, south, west, east });
        (json!({ "geo_bounding_box": corners }), PlaceQuery { rectangle, ..all() })
    };
    vec![
        (json!({}), all()),
        (
            json!({ "place_name": "  STÁRBUCKS\tpow" }),
            PlaceQuery { place_name: of("starbucks pow"), ..all() },
        ),
        (json!({ "place_name": "strabucks" }), PlaceQuery { place_name: of("strabucks"), ..all() }),
        (json!({ "place_name": "nosuchword" }), PlaceQuery { place_name: of("nosuchword"), ..all() }),
        (json!({ "city": " sán  FRANCISCO" }), PlaceQuery { city: of("San Francisco"), ..all() }),
        (json!({ "city": "San Franc*" }), PlaceQuery { city: of("San Franc*"), ..all() }),
        (json!({ "state": " california" }), PlaceQuery { state: of("CA"), ..all() }),
        (json!({ "zip_code": "94102" }), PlaceQuery { zip_code: of("94102"), ..all() }),
        (json!({ "place_type_name": "grocery" }), PlaceQuery { place_type_name: of("Grocery"), ..all() }),
        (json!({ "brand": "STÁRBUCKS " }), PlaceQuery { brand: of("Starbucks"), ..all() }),
        (json!({ "brand": "Starbuck" }), PlaceQuery { brand: of("Starbuck"), ..all() }),
        (json!({ "address": "1390 MÁRKET*" }), PlaceQuery { address: of("1390 market*"), ..all() }),
        (json!({ "address": "market street" }), PlaceQuery { address: of("market street"), ..all() }),
        (
            json!({ "dma_name": " Néw   york " }),
            PlaceQuery { dmas: Some(vec![area(GeographyType::Dma, "New York")]), ..all() },
        ),
        (
            json!({ "county_name": "suffolk county, ma" }),
            PlaceQuery { counties: Some(vec![area(GeographyType::County, "Suffolk County, MA")]), ..all() },
        ),
        (json!({ "place_ids": [one.to_string()] }), of_ids(&[one.raw()])),
        (
            json!({ "place_ids": [one.raw(), format!("000{one}"), 1, "2", 999_999_999_999_u64] }),
            of_ids(&[one.raw()]),
        ),
        (json!({ "place_ids": many }), of_ids(&many)),
        (json!({ "place_type_ids": [coffee, airport.to_string(), 1] }), of_types(&[coffee, airport])),
        (json!({ "place_type_ids": [0, 1, u32::MAX] }), of_types(&[])),
        circle(37.785, -122.42, "3 mi", 4.828_032),
        circle(64.0, 180.0, "1500km", 1_500.0),
        rectangle(37.81, -122.52, 37.70, -122.35),
        rectangle(72.0, 172.0, 51.0, -150.0),
    ]
}

#[tokio::test]
async fn filters_return_the_results_of_their_query_sorted_by_name() {
    let (world, org) = World::with_org().await;
    let nothing = ["nosuchword", "San Franc*", "\"Starbuck\"", "4294967295"];
    for (filter, query) in cases() {
        let found =
            search(&world, &org, &json!({ "filter": filter, "pagination": { "page_size": 1_000 } })).await;
        assert_eq!((total(&found), ids(&found)), found_of(&query), "{filter}");
        let finds_none = nothing.iter().any(|one| filter.to_string().contains(one));
        assert_eq!(total(&found) == 0, finds_none, "{filter} finds {}", total(&found));
    }
}

#[tokio::test]
async fn criteria_are_combined_with_and() {
    let (world, org) = World::with_org().await;
    let one = place(samples::place());
    let type_id = one.place_type_id;
    let every = json!({
        "place_name": one.name,
        "city": one.city,
        "state": one.state,
        "zip_code": one.zip_code,
        "address": one.street_address,
        "place_ids": [one.id.raw()], "place_type_ids": [type_id],
        "dma_name": dma(&one).expect("a market").name,
    });
    assert_eq!(ids(&search(&world, &org, &json!({ "filter": every })).await), [one.id.raw()]);
    let mut other = every.clone();
    other["city"] = json!("Oakland");
    let found = search(&world, &org, &json!({ "filter": other })).await;
    assert_eq!((total(&found), results(&found)), (0, &[][..]));
    assert_eq!(found["pagination"]["total_pages"], 0);
}

#[tokio::test]
async fn results_contain_the_place_and_its_areas() {
    let (world, org) = World::with_org().await;
    let one = place(samples::place());
    let measures = Measures::open(sample_release()).expect("the sample's measures");
    let record = measures.get(one.id).expect("a valid record").expect("a record");
    let found = search(&world, &org, &json!({ "filter": { "place_ids": [one.id.raw()] } })).await;
    let expected = json!({
        "place_id": one.id.to_string(),
        "place_name": one.name,
        "brand": "Starbucks",
        "place_type_id": one.place_type_id,
        "place_type_name": "Coffee Shop",
        "street_address": one.street_address,
        "city": "San Francisco",
        "state": "CA",
        "zip_code": one.zip_code,
        "dma_id": "807",
        "dma_name": dma(&one).expect("a market").name,
        "county_id": "06075",
        "county_name": "San Francisco County, CA",
        "cbsa_code": "41860",
        "cbsa_name": "San Francisco-Oakland-Fremont, CA",
        "location": { "lat": one.latitude, "lon": one.longitude },
        "weekly_visits": record.visits(),
        "maturity": "synthetic-only",
    });
    assert_eq!(results(&found), [expected]);
    // This borough in Alaska isn't in any TV market.
    let bethel =
        search(&world, &org, &json!({ "filter": { "place_name": "bethel airport", "state": "AK" } })).await;
    let bethel = &results(&bethel)[0];
    assert_eq!((&bethel["dma_id"], &bethel["dma_name"]), (&Value::Null, &Value::Null));
    assert_eq!((&bethel["street_address"], &bethel["brand"]), (&json!(""), &Value::Null));
    assert!(bethel["county_name"].as_str().is_some_and(|name| name.contains("Bethel")), "{bethel}");
}

#[tokio::test]
async fn meta_names_the_provenance_of_places() {
    let (world, org) = World::with_org().await;
    let answer = ask(&world, &org, super::SEARCH, &json!({})).await;
    let body = answer.json();
    assert_eq!(
        body["meta"]["provenance"]["data_maturity"], "synthetic-only",
        "visits make the whole answer synthetic"
    );
    let without_visits = ask(&world, &org, super::SEARCH, &json!({ "fieldSet": ["place_name"] })).await;
    assert_eq!(without_visits.json()["meta"]["provenance"]["data_vintage"], "2026-04-30");
    assert_eq!(total(&body["data"]), places().len());
    assert_eq!(results(&body["data"]).len(), 50);
}

#[tokio::test]
async fn states_are_found_by_abbreviation_and_name() {
    let (world, org) = World::with_org().await;
    let geographies = Geographies::open(sample_release()).expect("the sample's geographies");
    let mut seen = BTreeSet::new();
    for county in geographies.of_type(GeographyType::County).map(|county| geographies.get(county)) {
        let (name, letters) =
            (geographies.get(county.state.expect("a state")).name, county.name.rsplit_once(", ").unwrap().1);
        // Checks only one county per state.
        if !seen.insert(name) {
            continue;
        }
        world.clock.advance(1_000);
        let of = async |state: &str| search(&world, &org, &json!({ "filter": { "state": state } })).await;
        assert_eq!(total(&of(&name.to_uppercase()).await), total(&of(letters).await), "{name}");
    }
    assert_eq!(seen.len(), 51);
}
