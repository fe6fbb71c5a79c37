//! Sorting markets by name and population, filtering them by state, and finding ZIP codes by their digits.

use std::collections::BTreeSet;

use dataset::{Geographies, GeographyType, normalize};
use harness::{World, sample_release};
use serde_json::Value;

use super::markets::{list, page_through};
use super::{AREA_TYPES, ids};

const MINUTE_MILLIS: i64 = 60_000;

fn text(market: &Value, member: &str) -> String {
    market[member].as_str().expect("a string").to_owned()
}

/// Sorts a list that is in ID order. The sort is stable, so equal markets stay in ID order.
fn sorted(mut markets: Vec<Value>, sort: &str, descending: bool) -> Vec<Value> {
    let compare = |one: &Value, other: &Value| match sort {
        "name" => normalize(&text(one, "name")).cmp(&normalize(&text(other, "name"))),
        "population" => one["population"].as_u64().cmp(&other["population"].as_u64()),
        _ => text(one, "market_id").cmp(&text(other, "market_id")),
    };
    markets.sort_by(|one, other| if descending { compare(other, one) } else { compare(one, other) });
    markets
}

#[tokio::test]
async fn sorted_pages_match_a_naive_sort() {
    let (world, org) = World::with_org().await;
    for filter in
        ["geography_type=DMA", "geography_type=CBSA", "geography_type=STATE", "geography_type=ZIP&state=DE"]
    {
        world.clock.advance(MINUTE_MILLIS);
        let (_, whole) = page_through(&world, &org, &format!("{filter}&limit=100")).await;
        for sort in ["market_id", "name", "population"] {
            for direction in ["asc", "desc"] {
                let expected = sorted(whole.clone(), sort, direction == "desc");
                let size = if whole.len() > 100 { 83 } else { 7 };
                let query = format!("{filter}&sort={sort}&direction={direction}&limit={size}");
                let (sizes, joined) = page_through(&world, &org, &query).await;
                assert_eq!(joined, expected, "{query}");
                assert!(sizes[..sizes.len() - 1].iter().all(|one| *one == size), "{query}: {sizes:?}");
            }
        }
    }
}

#[tokio::test]
async fn returns_the_most_populous_markets_in_one_call() {
    let (world, org) = World::with_org().await;
    for (query, expected) in [
        ("", ["New York", "Los Angeles", "Chicago"]),
        ("&geography_type=STATE", ["California", "Texas", "Florida"]),
        (
            "&geography_type=COUNTY&state=illinois",
            ["Cook County, IL", "DuPage County, IL", "Lake County, IL"],
        ),
    ] {
        let answer = list(&world, &org, &format!("?sort=population&direction=desc&limit=3{query}")).await;
        assert_eq!(ids(&answer.data(), "name"), expected, "{query}");
    }
    // Without `sort`, `direction` applies to the IDs.
    let last = list(&world, &org, "?geography_type=STATE&direction=desc&limit=1").await.data();
    assert_eq!(ids(&last, "name"), ["Wyoming"]);
}

#[tokio::test]
async fn state_filter_keeps_markets_with_a_county_in_the_state() {
    let (world, org) = World::with_org().await;
    let geographies = Geographies::open(sample_release()).expect("the sample has geographies");
    for (letters, name, state) in [
        ("DC", "district of columbia", "US2020XXST11"),
        ("RI", "Rhode  Island", "US2020XXST44"),
        ("nv", "NEVADA", "US2020XXST32"),
    ] {
        let state = geographies.find(&state.parse().expect("valid ID")).expect("a state");
        for area_type in AREA_TYPES {
            world.clock.advance(MINUTE_MILLIS);
            let counties =
                geographies.of_type(GeographyType::County).map(|county| (county, geographies.get(county)));
            let there = counties.filter(|(_, county)| county.state == Some(state));
            let expected: BTreeSet<_> = match area_type {
                "DMA" => there.filter_map(|(_, county)| county.dma).collect(),
                "MSA" | "CBSA" => there.filter_map(|(_, county)| county.cbsa).collect(),
                "COUNTY" => there.map(|(county, _)| county).collect(),
                "STATE" => [state].into(),
                _ => {
                    let zips = geographies.of_type(GeographyType::Zip);
                    zips.filter(|zip| geographies.get(*zip).state == Some(state)).collect()
                }
            };
            let mut expected: Vec<_> =
                expected.into_iter().map(|area| geographies.get(area).id.to_string()).collect();
            expected.retain(|id| area_type != "MSA" || id.contains("XMSA"));
            expected.sort();
            let query = format!("geography_type={area_type}&limit=100");
            let (_, found) = page_through(&world, &org, &format!("{query}&state={letters}")).await;
            assert_eq!(ids(&found.clone().into(), "market_id"), expected, "{letters} {area_type}");
            let named = name.replace(' ', "%20");
            assert_eq!(
                page_through(&world, &org, &format!("{query}&state={named}")).await.1,
                found,
                "{name}"
            );
        }
    }
}

#[tokio::test]
async fn state_filter_finds_multi_state_markets_and_palm_springs() {
    let (world, org) = World::with_org().await;
    for (query, name, states) in [
        ("q=new+york", "New York", &["NY", "NJ", "CT", "PA"][..]),
        ("geography_type=MSA&q=kansas+city", "Kansas City, MO-KS", &["MO", "KS"]),
        ("q=palm+springs", "Palm Springs", &["CA"]),
    ] {
        for state in ["NY", "NJ", "CT", "PA", "MO", "KS", "CA"] {
            let (_, found) = page_through(&world, &org, &format!("{query}&state={state}")).await;
            let expected: &[&str] = if states.contains(&state) { &[name] } else { &[] };
            assert_eq!(ids(&found.into(), "name"), expected, "{query} in {state}");
        }
    }
}

#[tokio::test]
async fn zip_codes_are_found_by_leading_digits() {
    let (world, org) = World::with_org().await;
    let (_, all) = page_through(&world, &org, "geography_type=ZIP&state=RI&limit=100").await;
    for digits in ["0", "02", "029", "0290", "02903", "2903", "029031", "1", "9"] {
        let query = format!("geography_type=ZIP&state=RI&limit=100&q={digits}");
        let (_, found) = page_through(&world, &org, &query).await;
        let begins = |market: &&Value| text(market, "market_id").starts_with(&format!("US2020ZCTA{digits}"));
        let expected: Vec<Value> = all.iter().filter(begins).cloned().collect();
        assert_eq!(found, expected, "{digits}");
    }
    // All ZIP codes in Rhode Island start with 02.
    assert!(all.iter().all(|market| text(market, "market_id").starts_with("US2020ZCTA02")));
    // Digits find only ZIP codes. ZIP codes can also be found by part of their name.
    for area_type in ["DMA", "MSA", "CBSA", "COUNTY", "STATE"] {
        let (_, found) = page_through(&world, &org, &format!("geography_type={area_type}&q=0")).await;
        assert!(found.is_empty(), "{area_type}: {found:?}");
    }
    let (_, found) = page_through(&world, &org, "geography_type=ZIP&state=RI&q=providence&limit=100").await;
    assert!(found.iter().any(|market| market["market_id"] == "US2020ZCTA02903"), "{found:?}");
}
