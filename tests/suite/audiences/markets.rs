//! The list of markets: geography types, spot counts, paging, cursors, and the name filter.

use std::collections::{BTreeMap, BTreeSet};

use harness::{Answer, TestOrg, World, samples};
use serde_json::{Value, json};

use super::{AREA_TYPES, ids};

/// The numbers of spots in the sample release: kiosks and bus shelters in New York, and signs in San
/// Francisco.
const NEW_YORK_SPOTS: u64 = 5_506;
const SAN_FRANCISCO_SPOTS: u64 = 559;

pub(super) async fn list(world: &World, org: &TestOrg, query: &str) -> Answer {
    world.get(&format!("/v2/markets{query}")).key(&org.key).send().await
}

/// Reads all pages of a list and returns the page sizes and all markets.
pub(super) async fn page_through(world: &World, org: &TestOrg, query: &str) -> (Vec<usize>, Vec<Value>) {
    let (mut sizes, mut all, mut cursor) = (Vec::new(), Vec::new(), String::new());
    loop {
        let answer = list(world, org, &format!("?{query}{cursor}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
        let page = answer.json();
        let markets = page["data"].as_array().expect("a list");
        sizes.push(markets.len());
        all.extend_from_slice(markets);
        let pagination = &page["pagination"];
        assert_eq!(pagination["has_more"], !pagination["cursor"].is_null(), "{query}");
        match pagination["cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => {
                assert_eq!(pagination["total"], all.len(), "{query}");
                return (sizes, all);
            }
        }
    }
}

#[tokio::test]
async fn lists_dmas_by_code_by_default() {
    let (world, org) = World::with_org().await;
    let answer = list(&world, &org, "").await;
    let markets = answer.data();
    let markets = markets.as_array().expect("a list");
    assert_eq!(markets.len(), 25);
    assert_eq!(answer.json()["pagination"]["total"], 210);
    assert_eq!(markets[0]["name"], "Portland-Auburn");
    let new_york = &markets[1];
    assert_eq!(new_york["market_id"], "US2020XDMA501");
    assert_eq!((&new_york["name"], &new_york["dma_code"]), (&json!("New York"), &json!("501")));
    assert_eq!(
        (&new_york["geography_type"], &new_york["spots_count"]),
        (&json!("DMA"), &json!(NEW_YORK_SPOTS))
    );
    let (people, households) = (new_york["population"].as_u64(), new_york["households"].as_u64());
    assert!(people > Some(20_000_000) && households > Some(6_000_000) && households < people, "{new_york}");
    let (north, east) = (new_york["latitude"].as_f64(), new_york["longitude"].as_f64());
    assert!((40.0..42.0).contains(&north.unwrap()) && (-75.0..-73.0).contains(&east.unwrap()), "{new_york}");
    let same = list(&world, &org, "?geography_type=DMA&q=").await.data();
    assert_eq!(same.as_array().expect("a list"), markets);
}

#[tokio::test]
async fn lists_each_area_of_a_type_once_in_id_order() {
    let (world, org) = World::with_org().await;
    let totals = [("DMA", 210), ("MSA", 393), ("CBSA", 935), ("COUNTY", 3_144), ("STATE", 51)];
    for (area_type, total) in totals {
        let (sizes, markets) =
            page_through(&world, &org, &format!("geography_type={area_type}&limit=100")).await;
        assert_eq!(markets.len(), total, "{area_type}");
        assert!(sizes.iter().rev().skip(1).all(|size| *size == 100), "{area_type}: {sizes:?}");
        let ids = ids(&json!(markets), "market_id");
        assert!(ids.is_sorted_by(|one, other| one < other), "{area_type}");
        assert!(markets.iter().all(|market| market["geography_type"] == area_type), "{area_type}");
        let people: u64 = markets.iter().map(|market| market["population"].as_u64().expect("a count")).sum();
        match area_type {
            "COUNTY" | "STATE" => assert_eq!(people, 340_110_988),
            "DMA" => assert_eq!(people, 340_110_988 - 106_279),
            _ => assert!(people < 340_110_988),
        }
    }
    let zips = list(&world, &org, "?geography_type=ZIP&limit=1").await;
    assert_eq!(zips.json()["pagination"]["total"], 40_977);
}

#[tokio::test]
async fn spot_counts_match_inventory_search() {
    let (world, org) = World::with_org().await;
    let counts = |markets: &[Value]| -> BTreeMap<String, u64> {
        let count = |market: &Value| market["spots_count"].as_u64().expect("a count");
        let with_spots = markets.iter().filter(|market| count(market) > 0);
        with_spots
            .map(|market| (market["market_id"].as_str().expect("an ID").to_owned(), count(market)))
            .collect()
    };
    for (area_type, new_york, san_francisco) in [
        ("DMA", "US2020XDMA501", "US2020XDMA807"),
        ("MSA", "US2020XMSA35620", "US2020XMSA41860"),
        ("CBSA", "US2020XMSA35620", "US2020XMSA41860"),
        ("STATE", "US2020XXST36", "US2020XXST06"),
    ] {
        let (_, markets) = page_through(&world, &org, &format!("geography_type={area_type}&limit=100")).await;
        let expected = [(new_york, NEW_YORK_SPOTS), (san_francisco, SAN_FRANCISCO_SPOTS)];
        let expected = expected.map(|(area, count)| (area.to_owned(), count));
        assert_eq!(counts(&markets), BTreeMap::from(expected), "{area_type}");
    }
    let (_, counties) = page_through(&world, &org, "geography_type=COUNTY&limit=100").await;
    let counties = counts(&counties);
    assert_eq!(counties.values().sum::<u64>(), NEW_YORK_SPOTS + SAN_FRANCISCO_SPOTS);
    assert_eq!(counties.len(), 6, "expected five boroughs and San Francisco: {counties:?}");
    let (_, zips) = page_through(&world, &org, "geography_type=ZIP&q=san+francisco&limit=100").await;
    let zips = counts(&zips);
    assert!(zips.len() > 10 && zips.values().sum::<u64>() <= SAN_FRANCISCO_SPOTS, "{zips:?}");
    let filter = json!({ "filter": { "county_name": "New York County, NY" }, "fieldSet": ["id"] });
    let found = world.post("/msearch/inventory").header("apikey", &org.key).json(&filter).send().await.json();
    let county = list(&world, &org, "?geography_type=COUNTY&q=new+york+county").await.data();
    assert_eq!(
        (&county[0]["name"], &county[0]["spots_count"]),
        (&json!("New York County, NY"), &found["total"])
    );
}

#[tokio::test]
async fn pages_of_any_size_cover_the_list() {
    let (world, org) = World::with_org().await;
    let (_, whole) = page_through(&world, &org, "limit=100").await;
    for (query, pages) in [("", 9), ("limit=1&q=new", 7), ("limit=99", 3), ("limit=70", 3), ("limit=030", 7)]
    {
        let (sizes, joined) = page_through(&world, &org, query).await;
        if query.contains("q=") {
            assert!(joined.iter().all(|market| whole.contains(market)), "{query}");
            assert_eq!(sizes.len(), joined.len(), "{query}");
        } else {
            assert_eq!((sizes.len(), &joined), (pages, &whole), "{query}");
        }
    }
    // CBSAs are stored in two ranges, and a page can contain areas from both.
    let (_, whole) = page_through(&world, &org, "geography_type=CBSA&limit=100").await;
    let (_, joined) = page_through(&world, &org, "geography_type=CBSA&limit=77").await;
    assert_eq!(joined, whole);
}

#[tokio::test]
async fn name_filter_matches_parts_of_names() {
    let (world, org) = World::with_org().await;
    for (query, expected) in [
        ("q=new%20york", &["New York"][..]),
        ("q=NEW+YORK", &["New York"]),
        ("q=%20new%20york%20", &["New York"]),
        ("q=w+yor", &["New York"]),
        ("q=nowhere", &[]),
        ("q=%25", &[]),
        ("q=%FF", &[]),
        ("q=san+francisco&geography_type=county", &["San Francisco County, CA"]),
        ("q=delaware&geography_type=State", &["Delaware"]),
        ("q=dona+ana&geography_type=COUNTY", &["Doña Ana County, NM"]),
        ("q=DO%C3%91A++ana&geography_type=COUNTY", &["Doña Ana County, NM"]),
        ("q=10027&geography_type=ZIP", &["New York, NY"]),
    ] {
        let (_, found) = page_through(&world, &org, query).await;
        assert_eq!(ids(&json!(found), "name"), expected, "{query}");
    }
    let (_, orange) = page_through(&world, &org, "q=orange+county&geography_type=COUNTY&limit=3").await;
    assert_eq!(orange.len(), 8);
}

#[tokio::test]
async fn rejects_a_cursor_of_another_list() {
    let (world, org) = World::with_org().await;
    let queries = [
        "",
        "&q=a",
        "&q=e",
        "&geography_type=STATE",
        "&geography_type=STATE&q=a",
        "&geography_type=CBSA",
        "&state=CA",
        "&state=NY",
        "&sort=name",
        "&sort=population",
        "&direction=desc",
        "&sort=population&direction=desc",
        "&sort=population&direction=desc&state=CA",
    ];
    for own in queries {
        let page = list(&world, &org, &format!("?limit=1{own}")).await.json();
        let cursor = page["pagination"]["cursor"].as_str().expect("a cursor").to_owned();
        for query in queries {
            let answer = list(&world, &org, &format!("?cursor={cursor}{query}")).await;
            if query == own {
                assert_eq!(answer.status, 200, "{own}");
                continue;
            }
            let same = "same q, geography_type, state, sort, and direction";
            answer.assert_invalid(&[("?cursor", same)], &format!("{own} in {query}"));
        }
        // Parameters that don't affect the list may differ from the parameters that the cursor was issued
        // for.
        for same in [
            format!("{own}&limit=7"),
            own.replace("q=a", "q=A"),
            own.replace("STATE", "state"),
            own.replace("state=CA", "state=california"),
            own.replace("sort=name", "sort=name&direction=asc"),
        ] {
            assert_eq!(list(&world, &org, &format!("?cursor={cursor}{same}")).await.status, 200, "{same}");
        }
    }
}

#[tokio::test]
async fn market_ids_are_accepted_in_a_cohort() {
    let (world, org) = World::with_org().await;
    let mut markets = BTreeSet::new();
    for area_type in AREA_TYPES {
        let found = list(&world, &org, &format!("?geography_type={area_type}&limit=100")).await.data();
        markets.extend(ids(&found, "market_id"));
    }
    // The 50 states, DC, and 100 markets of each other type, without duplicates.
    assert_eq!(markets.len(), 551);
    let mut campaign = samples::campaign();
    campaign["cohort"]["geography_ids"] = json!(markets);
    let created = world.post("/v2/scenarios/campaigns").key(&org.key).json(&campaign).send().await;
    assert_eq!(created.data()["cohort"]["geography_ids"], json!(markets));
}
