//! The sample release's modelled visits agree with public figures, and the model's limits are stated.
use std::collections::BTreeMap;
use std::sync::OnceLock;

use builder::sample::{Fit, calibration};
use dataset::{Measures, Place};
use harness::{World, root, sample_release};
use serde_json::{Value, json};

use super::{REPORT, SEARCH, all_places, ask, report};

fn measures() -> &'static Measures {
    static MEASURES: OnceLock<Measures> = OnceLock::new();
    MEASURES.get_or_init(|| Measures::open(sample_release()).expect("the sample's records"))
}

fn visits(place: &Place<'_>) -> u64 {
    measures().glance(place.id).expect("every place of the sample has a record").visits.into()
}

fn airports() -> impl Iterator<Item = Place<'static>> {
    all_places().filter(|place| place.place_type == "Airport")
}

/// Returns the airport code, which is in parentheses at the end of an airport's name.
fn code(airport: &Place<'static>) -> &'static str {
    airport.name.rsplit_once('(').expect("a code").1.trim_end_matches(')')
}

/// Returns each airport's annual boardings in 2023, or in 2018 if 2023 is missing.
fn boardings() -> BTreeMap<String, f64> {
    let table =
        std::fs::read_to_string(root().join("data/places/airport_enplanements.csv")).expect("a table");
    let row = |line: &str| {
        let columns: Vec<&str> = line.split(',').collect();
        let [code, _, earlier, later] = columns[..] else { panic!("{line}") };
        let latest = if later.is_empty() { earlier } else { later };
        (code.to_owned(), latest.parse().expect("a count"))
    };
    table.lines().skip(1).map(row).collect()
}

#[test]
fn airports_rank_by_annual_boardings() {
    let boardings = boardings();
    let mut counted: Vec<(u64, &str)> = Vec::new();
    let mut others = Vec::new();
    for airport in airports() {
        match boardings.get(code(&airport)) {
            Some(boarded) => {
                assert_eq!(
                    visits(&airport),
                    (2.0 * boarded * 7.0 / 365.25).round() as u64,
                    "{}",
                    airport.name
                );
                counted.push((visits(&airport), airport.name));
            }
            None => others.push((visits(&airport), airport.name)),
        }
    }
    assert_eq!((counted.len(), others.len()), (317, 229));
    counted.sort_unstable();
    let most: Vec<&str> = counted.iter().rev().take(5).map(|airport| airport.1).collect();
    for (name, code) in most.iter().zip(["(ATL)", "(LAX)", "(DFW)", "(DEN)", "(ORD)"]) {
        assert!(name.ends_with(code), "{most:?}");
    }
    let busiest = others.iter().max().expect("an airfield");
    assert!(
        busiest.0 < counted[0].0,
        "{busiest:?} without scheduled service must have fewer visits than {:?}",
        counted[0]
    );
    assert!(others.iter().any(|airfield| airfield.1.starts_with("Nypd Air Operations")));
}

#[tokio::test]
async fn concourse_shops_share_the_visitor_origins_of_their_airport() {
    let (world, org) = World::with_org().await;
    let airport = airports().find(|place| code(place) == "ATL").expect("Atlanta");
    let at_gate = |place: &Place<'_>| place.name == "Starbucks ATL Concourse F Gate 9";
    let shop = all_places().find(at_gate).expect("the concourse shop");
    let airport = report(&world, &org, &json!([airport.id.raw()])).await;
    let shop = report(&world, &org, &json!([shop.id.raw()])).await;
    let shares = |report: &Value| -> BTreeMap<String, f64> {
        let visits = report["places"][0]["visits"].as_f64().expect("a count");
        let share = |area: &Value| area["weekly_visits"].as_f64().expect("a count") / visits;
        let areas = report["postal_code"].as_array().expect("areas").iter();
        areas.map(|area| (area["id"].to_string(), share(area))).collect()
    };
    let (airport, shop) = (shares(&airport), shares(&shop));
    assert!(airport.keys().eq(shop.keys()), "{airport:?} and {shop:?}");
    for (zip, share) in &airport {
        assert!((share - shop[zip]).abs() < 0.001, "{zip}: {share} and {}", shop[zip]);
    }
}

#[tokio::test]
async fn half_of_airport_visitors_come_from_across_the_nation() {
    let (world, org) = World::with_org().await;
    for (airport_code, home) in [("LAS", "NV"), ("MCO", "FL")] {
        let airport = airports().find(|place| code(place) == airport_code).expect("an airport");
        assert_eq!(airport.state, home);
        let report = report(&world, &org, &json!([airport.id.raw()])).await;
        let visits = report["places"][0]["visits"].as_f64().expect("a count");
        let states = report["state"].as_array().expect("areas");
        assert!(states.len() >= 25, "{airport_code}: {states:?}");
        let most = states[0]["weekly_visits"].as_f64().expect("a count") / visits;
        assert!((0.5..0.7).contains(&most), "{airport_code}: {states:?}");
    }
}

#[test]
fn subway_stations_share_the_published_trips_by_their_riders() {
    let is_station = |place: &Place<'_>| place.place_type == "Subway Station";
    let mut stations: Vec<(u64, &str)> =
        all_places().filter(is_station).map(|place| (visits(&place), place.name)).collect();
    let all: u64 = stations.iter().map(|station| station.0).sum();
    assert!((all as f64 / (445.0 * 102_000.0) - 1.0).abs() < 0.001, "{all}");
    stations.sort_unstable();
    assert!(stations[444].1.starts_with("Times Sq-42 St"), "{:?}", stations[444]);
}

#[test]
fn modelled_places_are_never_certified() {
    for id in measures().ids() {
        let measure = measures().get(id).expect("a valid record").expect("a record");
        assert!(measure.modelled && !measure.certified, "{id}");
    }
}

fn fits() -> Vec<Fit> {
    calibration(&root().join("data"), sample_release()).expect("the sample's places")
}

/// Returns the average visits to a brand's standalone places.
fn standalone_mean(fits: &[Fit], brand: &str) -> f64 {
    fits.iter().find(|fit| fit.brand == brand).expect("a brand of the sample").mean
}

#[test]
fn standalone_places_have_the_published_average_of_their_brand() {
    let published: Vec<Fit> = fits().into_iter().filter(|fit| fit.published.is_some()).collect();
    assert!(published.len() >= 15, "{published:?}");
    for fit in published {
        let deviation = fit.mean / fit.published.expect("filtered") - 1.0;
        assert!(deviation.abs() < 0.05, "{deviation}: {fit:?}");
    }
}

#[test]
fn brands_rank_as_published() {
    let fits = fits();
    let mean = |brand| standalone_mean(&fits, brand);
    for (more, less) in [
        ("Kroger", "ALDI"),
        ("Trader Joe's", "ALDI"),
        ("Chick-fil-A", "Chipotle"),
        ("Chick-fil-A", "McDonald's"),
        ("McDonald's", "Taco Bell"),
        ("Costco", "Kroger"),
        ("Walmart", "Target"),
        ("Target", "Dollar General"),
    ] {
        assert!(mean(more) > mean(less), "{more}: {}, {less}: {}", mean(more), mean(less));
    }
}

/// Returns the average visits to a brand's places whose name or address contains the given text.
fn mean_visits(brand: &str, text: &str) -> f64 {
    let has = |place: &Place<'_>| place.name.contains(text) || place.street_address.contains(text);
    let visits: Vec<u64> = all_places()
        .filter(|place| place.brand == Some(brand) && has(place))
        .map(|place| visits(&place))
        .collect();
    visits.iter().sum::<u64>() as f64 / visits.len() as f64
}

#[test]
fn places_of_smaller_formats_have_fewer_visits_than_standalone_ones() {
    let fits = fits();
    for (brand, format) in [
        ("Starbucks", "Target "),
        ("Starbucks", "Safeway "),
        ("Starbucks", "BASE ACCESS"),
        ("Taco Bell", "Air Force Base"),
        ("Macy's", "Furniture"),
        ("Nordstrom", "Rack"),
    ] {
        let (of_format, standalone) = (mean_visits(brand, format), standalone_mean(&fits, brand));
        assert!(of_format < 0.8 * standalone, "{brand} {format}: {of_format}, standalone: {standalone}");
    }
    for (brand, format) in [("Walmart", "Neighborhood Market"), ("Walmart", " Store")] {
        assert!(mean_visits(brand, format) < 0.8 * mean_visits(brand, "Supercenter"), "{format}");
    }
    assert!(mean_visits("AMC Theatres", "Empire 25") > mean_visits("AMC Theatres", "CLASSIC"));
}

#[test]
fn chick_fil_a_has_no_visits_on_sundays() {
    let sunday = |place: &Place<'_>| -> u64 {
        let measure = measures().get(place.id).expect("a valid record").expect("a record");
        measure.hours[6].iter().sum()
    };
    let of_brand =
        |brand: &'static str| all_places().filter(move |place| place.brand == Some(brand)).step_by(100);
    assert!(of_brand("Chick-fil-A").count() > 20);
    assert!(of_brand("Chick-fil-A").all(|place| sunday(&place) == 0));
    assert!(of_brand("McDonald's").all(|place| sunday(&place) > 0));
}

#[tokio::test]
async fn reports_list_members_that_are_equal_for_all_places_of_a_type_and_brand() {
    let (world, org) = World::with_org().await;
    let busy = |place: &Place<'_>| place.brand == Some("Starbucks") && visits(place) > 2_000;
    let mut reports = Vec::new();
    for place in all_places().filter(busy).step_by(500).take(8) {
        reports.push(report(&world, &org, &json!([place.id.raw()])).await);
    }
    let [first, others @ ..] = reports.as_slice() else { panic!("reports") };
    let performance =
        ["activities", "visits_unique_persons", "visits_avg_dwell", "visits_frequency_per_person"];
    assert_eq!(first["places"][0]["constants_of_type"], json!(performance));
    assert_eq!(first["constants_of_type"], json!(["days", "dwell"]));
    for other in others {
        for member in performance {
            let (one, other) = (per_visit(first, member), per_visit(other, member));
            assert!((one / other - 1.0).abs() < 0.01, "{member}: {one} and {other}");
        }
        for (one, other) in shares(first).into_iter().zip(shares(other)) {
            assert!((one - other).abs() < 0.005, "{one} and {other}");
        }
    }
    let differ = |of: fn(&Value) -> String| others.iter().any(|other| of(other) != of(first));
    assert!(differ(|report| report["places"][0]["percentile"].to_string()));
    assert!(differ(|report| report["segments"].to_string()));
}

/// Returns a member of a report as a ratio. Divides counts by the visits and returns means unchanged.
fn per_visit(report: &Value, member: &str) -> f64 {
    let of = |member: &str| report["places"][0][member].as_f64().expect("a number");
    if report["places"][0][member].is_u64() { of(member) / of("visits") } else { of(member) }
}

/// Returns the shares by day and by dwell time.
fn shares(report: &Value) -> Vec<f64> {
    let number = |value: &Value| value.as_f64().expect("a number");
    let days = report["days"].as_array().expect("days").iter().map(|day| number(&day["percent"]));
    let bins = report["dwell"].as_object().expect("bins").values().map(number);
    days.chain(bins).collect()
}

#[tokio::test]
async fn history_has_only_counted_years() {
    let (world, org) = World::with_org().await;
    let airport = |end: &str| airports().find(|place| code(place) == end).expect("an airport").id.raw();
    let shop = all_places().find(|place| place.place_type == "Coffee Shop").expect("a coffee shop").id.raw();
    let year = |id: &str, visits: u64| json!({ "id": id, "visits": visits });
    let atlanta = json!([year("2018", 2 * 51_865_797), year("2023", 2 * 50_950_068)]);
    let both = json!([year("2018", 2 * (51_865_797 + 336_410))]);
    for (places, years) in [
        (vec![airport("ATL")], atlanta),
        (vec![airport("NY22")], json!([])),
        (vec![shop], json!([])),
        (vec![airport("ATL"), shop], json!([])),
        (vec![airport("ATL"), airport("BGR")], both),
    ] {
        let report = report(&world, &org, &json!(places)).await;
        assert_eq!(report["history"], json!({ "year": years, "week": [] }), "{places:?}");
    }
}

#[tokio::test]
async fn place_answers_list_incomplete_brands() {
    let (world, org) = World::with_org().await;
    let shops = json!({ "filter": { "place_name": "starbucks", "city": "Boston", "state": "MA" } });
    let found = ask(&world, &org, SEARCH, &shops).await.json();
    let id: u64 = found["data"]["results"][0]["place_id"].as_str().expect("an ID").parse().expect("digits");
    let reported = ask(&world, &org, REPORT, &json!({ "place_id": [id] })).await.json();
    let profile = world.get(&format!("/v2/place/profiles/{id}")).key(&org.key).send().await.json();
    for answer in [found, reported, profile] {
        let gaps = &answer["meta"]["provenance"]["known_gaps"];
        let said = gaps[0].as_str().expect("a description of the gap");
        for word in ["Starbucks", "only 4 in Massachusetts", "none in Maine"] {
            assert!(said.contains(word), "{word}: {said}");
        }
    }
}
