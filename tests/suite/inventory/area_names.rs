//! Area names in filters: common names match, and unknown names are reported as violations.

use accounting::Product;
use dataset::inventory::{InventoryQuery, TextCriterion};
use harness::{World, price};
use serde_json::json;

use super::{ask, assert_refused, everything, found_by, ids_of};

const KINGS: &str = "Kings County, NY";
const BOROUGHS: [&str; 5] =
    ["Bronx County, NY", KINGS, "New York County, NY", "Queens County, NY", "Richmond County, NY"];
const NEW_YORK_CBSA: &str = "New York-Newark-Jersey City, NY-NJ";
const SAN_FRANCISCO: &str = "San Francisco-Oak-San Jose";

/// Returns the IDs of the spots that have one of the given strings for a criterion.
fn with_any(criterion: TextCriterion, texts: &[&str]) -> Vec<u64> {
    let texts = texts.iter().map(|text| (*text).to_owned()).collect();
    ids_of(&InventoryQuery { exact: vec![(criterion, texts)], ..everything() })
}

#[tokio::test]
async fn common_names_find_the_spots_of_their_areas() {
    let (world, org) = World::with_org().await;
    use TextCriterion::{CbsaName, CountyName, DmaName, State};
    let cases: [(TextCriterion, &[&str], &[&str]); 9] = [
        (CountyName, &["Kings County, NY", "kings county", "KINGS", "Kings, NY", "Brooklyn"], &[KINGS]),
        (CountyName, &["Manhattan", "New York", "New York County"], &["New York County, NY"]),
        (CountyName, &["The Bronx", "bronx"], &["Bronx County, NY"]),
        (CountyName, &["Staten Island", "Richmond, NY"], &["Richmond County, NY"]),
        (CountyName, &["NYC", "New York City"], &BOROUGHS),
        (DmaName, &["NYC", "new york"], &["New York"]),
        (DmaName, &["SF", "San Francisco", "Bay Area", "san francisco oak san jose"], &[SAN_FRANCISCO]),
        (CbsaName, &["NYC", "New York Newark Jersey City NY NJ"], &[NEW_YORK_CBSA]),
        (State, &["N.Y.", "new york"], &["NY"]),
    ];
    for (criterion, names, expected) in cases {
        let expected = with_any(criterion, expected);
        assert!(expected.len() > 10, "{names:?}: {}", expected.len());
        for name in names {
            let filter = json!({ criterion.name(): name });
            assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
        }
    }
}

#[tokio::test]
async fn unknown_name_returns_400_with_the_nearest_names_and_is_charged() {
    let (world, org) = World::with_org().await;
    for (member, name, words) in [
        ("county_name", "Kigns", "known county, got \"Kigns\"; the closest matches are \"Kings County, CA\""),
        ("county_name", "Brooklin", "the closest match is \"Kings County, NY\""),
        ("county_name", "Kings County, NJ", "\"Kings County, NY\""),
        ("dma_name", "San Fransisco", "the closest match is \"San Francisco-Oak-San Jose\""),
        ("dma_name", "Portland", "the closest matches are \"Portland, OR\" and \"Portland-Auburn\""),
        ("cbsa_name", "Chicago", "\"Chicago-Naperville-Elgin, IL-IN\""),
        (
            "venue_type",
            "gas stations",
            "known venue type, got \"gas stations\"; the closest matches are \"retail.gas_stations\"",
        ),
        (
            "venue_type",
            "Tansit",
            "the closest match is \"transit\"; for the full list, see the OpenOOH venue taxonomy 1.1",
        ),
        (
            "state",
            "Wahsington",
            "the closest match is \"Washington\"; for the full list, see GET /v2/markets?geography_type=STATE",
        ),
        (
            "county_name",
            "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
            "zzz\"; for the full list, see GET /v2/markets?geography_type=COUNTY",
        ),
    ] {
        for filter in ["filter", "filters"] {
            let answer = ask(&world, &org, &json!({ filter: { member: name } })).await;
            assert_refused(&answer, &[("invalid_filter", words)], name);
            let reason = answer.json()["error"]["root_cause"][0]["reason"].clone();
            assert!(reason.as_str().is_some_and(|one| one.starts_with(&format!("/{filter}/{member} must"))));
            assert_eq!(answer.credits_used(), price(Product::InventorySearch), "{name}");
        }
    }
}

#[tokio::test]
async fn every_unknown_name_of_a_filter_is_reported() {
    let (world, org) = World::with_org().await;
    let filter = json!({ "county_name": "Kigns", "digital": true, "state": "Wahsington" });
    let answer = ask(&world, &org, &json!({ "filter": filter })).await;
    let causes = [("invalid_filter", "/filter/county_name must"), ("invalid_filter", "/filter/state must")];
    assert_refused(&answer, &causes, "two names");
}
