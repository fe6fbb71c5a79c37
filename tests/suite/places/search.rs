//! Each place filter finds exactly the places that a look at every place finds.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use dataset::{Geographies, Geography, GeographyType, Measures, Place, PlaceId, fold};
use harness::{TestOrg, World, price, sample_release, samples};
use serde_json::{Value, json};
use shared::types::Product;

use super::{all_places, ask, ids, place, places, results, search, total};

/// Tells whether a place meets a filter.
type Meets = fn(&Place<'_>) -> bool;

/// Holds a filter to a look at every place, and returns how many it finds.
async fn assert_found(world: &World, org: &TestOrg, filter: Value, meets: Meets) -> usize {
    let found = search(world, org, &json!({ "filter": filter, "pagination": { "page_size": 1_000 } })).await;
    let mut expected: Vec<(String, u64)> =
        all_places().filter(meets).map(|place| (fold(place.name), place.id.raw())).collect();
    expected.sort();
    assert_eq!(total(&found), expected.len(), "{filter}");
    let shown: Vec<u64> = expected.iter().take(1_000).map(|place| place.1).collect();
    assert_eq!(ids(&found), shown, "{filter} in the order of names");
    expected.len()
}

/// Returns the words of a name as a search compares them.
fn words(place: &Place<'_>) -> Vec<String> {
    let name = fold(place.name).replace(['\'', '\u{2019}', '`'], "");
    let words = name.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn has_word(place: &Place<'_>, word: &str) -> bool {
    words(place).iter().any(|other| other == word)
}

fn has_beginning(place: &Place<'_>, beginning: &str) -> bool {
    words(place).iter().any(|word| word.starts_with(beginning))
}

/// Returns the market that a place lies in.
fn dma(place: &Place<'_>) -> Option<Geography<'static>> {
    static GEOGRAPHIES: OnceLock<Geographies> = OnceLock::new();
    let geographies =
        GEOGRAPHIES.get_or_init(|| Geographies::open(sample_release()).expect("the sample's geographies"));
    place.dma.map(|dma| geographies.get(dma))
}

#[tokio::test]
async fn a_name_is_found_by_its_words_whatever_their_case_and_accents() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let cases: [(&str, Meets); 24] = [
        ("starbucks", |place| has_beginning(place, "starbucks")),
        ("STARBUCKS", |place| has_beginning(place, "starbucks")),
        ("Stárbücks", |place| has_beginning(place, "starbucks")),
        ("  starbucks\t", |place| has_beginning(place, "starbucks")),
        ("star", |place| has_beginning(place, "star")),
        ("starbucks powell", |place| has_word(place, "starbucks") && has_beginning(place, "powell")),
        ("powell starbucks", |place| has_word(place, "powell") && has_beginning(place, "starbucks")),
        ("starbucks pow", |place| has_word(place, "starbucks") && has_beginning(place, "pow")),
        ("pow starbucks", |place| has_word(place, "pow") && has_beginning(place, "starbucks")),
        ("cafe", |place| has_beginning(place, "cafe")),
        ("CAFÉ", |place| has_beginning(place, "cafe")),
        ("cafe\u{301}", |place| has_beginning(place, "cafe")),
        ("pena station", |place| has_word(place, "pena") && has_beginning(place, "station")),
        ("mcdonalds", |place| has_beginning(place, "mcdonalds")),
        ("McDonald's", |place| has_beginning(place, "mcdonalds")),
        ("MCDONALD\u{2019}S", |place| has_beginning(place, "mcdonalds")),
        ("7-eleven", |place| has_word(place, "7") && has_beginning(place, "eleven")),
        ("chick-fil-a", |place| {
            has_word(place, "chick") && has_word(place, "fil") && has_beginning(place, "a")
        }),
        ("airport (mri)", |place| has_word(place, "airport") && has_beginning(place, "mri")),
        ("stb", |place| has_beginning(place, "stb")),
        ("!!!", |_| false),
        ("*", |_| false),
        ("starbucks nosuchword", |_| false),
        ("nosuchword starbucks", |_| false),
    ];
    for (name, meets) in cases {
        let count = assert_found(&world, &org, json!({ "place_name": name }), meets).await;
        let nothing = ["pow starbucks", "stb", "!!!", "*", "starbucks nosuchword", "nosuchword starbucks"];
        assert_eq!(count == 0, nothing.contains(&name), "{name} finds {count}");
    }
}

#[tokio::test]
async fn a_long_word_is_forgiven_one_typo() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let starbucks: Meets = |place| has_word(place, "starbucks");
    for typo in ["strabucks", "starbukcs", "sarbucks", "starbuckz", "startbucks", "STARBUKS", "stárbukcs"] {
        assert!(
            assert_found(&world, &org, json!({ "place_name": typo }), starbucks).await > 15_000,
            "{typo}"
        );
    }
    let both: Meets = |place| has_word(place, "starbucks") && has_beginning(place, "powell");
    assert!(assert_found(&world, &org, json!({ "place_name": "strabucks powell" }), both).await > 0);
    for typos in ["strabuks", "starbxxks", "xqzv"] {
        assert_eq!(assert_found(&world, &org, json!({ "place_name": typos }), |_| false).await, 0, "{typos}");
    }
}

#[tokio::test]
async fn other_texts_are_compared_as_a_whole() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let cases: [(&str, &str, Meets); 21] = [
        ("city", "San Francisco", |place| place.city == "San Francisco"),
        ("city", "SAN FRANCISCO", |place| place.city == "San Francisco"),
        ("city", "  sán   franciscö ", |place| place.city == "San Francisco"),
        ("city", "San Franc", |_| false),
        ("city", "San Fransisco", |_| false),
        ("city", "San Franc*", |_| false),
        ("state", "CA", |place| place.state == "CA"),
        ("state", "ca", |place| place.state == "CA"),
        ("place_type_name", "grocery", |place| place.place_type == "Grocery"),
        ("state", " california", |place| place.state == "CA"),
        ("state", "New York", |place| place.state == "NY"),
        ("state", "dC", |place| place.state == "DC"),
        ("state", "XX", |_| false),
        ("zip_code", "94102", |place| place.zip_code == "94102"),
        ("zip_code", "9410", |_| false),
        ("zip_code", "94102-1234", |_| false),
        ("dma_name", "New York", |place| dma(place).is_some_and(|dma| dma.name == "New York")),
        ("dma_name", "NEW YORK", |place| dma(place).is_some_and(|dma| dma.name == "New York")),
        ("dma_name", " Néw   york ", |place| dma(place).is_some_and(|dma| dma.name == "New York")),
        ("dma_name", "New", |_| false),
        ("dma_name", "501", |_| false),
    ];
    for (member, text, meets) in cases {
        let count = assert_found(&world, &org, json!({ member: text }), meets).await;
        let is_whole =
            !["San Franc", "San Fransisco", "San Franc*", "XX", "9410", "94102-1234", "New", "501"]
                .contains(&text);
        assert_eq!(count > 0, is_whole, "{member} {text} finds {count}");
    }
}

#[tokio::test]
async fn an_address_is_a_piece_or_with_wildcards_a_pattern_of_all_of_it() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    fn street(place: &Place<'_>) -> String {
        fold(place.street_address)
    }
    let cases: [(&str, Meets); 14] = [
        ("market street", |place| street(place).contains("market street")),
        ("MÁRKET  STREET", |place| street(place).contains("market street")),
        ("*market street*", |place| street(place).contains("market street")),
        ("* market street", |place| street(place).ends_with(" market street")),
        ("1390 market*", |place| street(place).starts_with("1390 market")),
        ("1390 Market Street", |place| street(place).contains("1390 market street")),
        ("???? market street", |place| {
            street(place).ends_with(" market street") && street(place).chars().count() == 18
        }),
        ("1*market*t", |place| {
            let street = street(place);
            street.starts_with('1')
                && street[1..].contains("market")
                && street.ends_with('t')
                && !street.ends_with("market")
        }),
        ("825 1st st.", |place| street(place).contains("825 1st st.")),
        ("exit 226 \u{2013} pa", |place| street(place).contains("exit 226 \u{2013} pa")),
        ("?", |place| street(place).chars().count() == 1),
        ("*", |_| true),
        ("no such street", |_| false),
        ("%", |place| street(place).contains('%')),
    ];
    for (pattern, meets) in cases {
        assert_found(&world, &org, json!({ "address": pattern }), meets).await;
    }
}

#[tokio::test]
async fn ids_are_taken_as_numbers_and_as_texts() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let one = samples::place();
    let other = all_places().find(|place| place.id != one).expect("another place").id;
    let (number, text) = (other.raw(), one.to_string());
    let expected = |mut ids: Vec<u64>| {
        ids.sort_by_key(|id| (fold(place(PlaceId::from_raw(*id)).name), *id));
        ids
    };
    for (asked, found) in [
        (json!([text]), vec![one.raw()]),
        (json!([one.raw()]), vec![one.raw()]),
        (json!([number, text]), vec![number, one.raw()]),
        (json!([text, number, one.raw(), text]), vec![number, one.raw()]),
        (json!([format!("000{text}")]), vec![one.raw()]),
        (json!([number, 1, "2", 999_999_999_999_u64]), vec![number]),
        (json!([1]), vec![]),
    ] {
        let answer = search(&world, &org, &json!({ "filter": { "place_ids": asked } })).await;
        assert_eq!(ids(&answer), expected(found), "{asked}");
    }
    let many: Vec<u64> = super::some_places(1, 1_000);
    let body = json!({ "filter": { "place_ids": many }, "pagination": { "page_size": 1_000 } });
    assert_eq!(ids(&search(&world, &org, &body).await), expected(many));
}

#[tokio::test]
async fn types_are_taken_as_numbers_and_as_texts() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let of_type = |name: &str| {
        all_places().find(|place| place.place_type == name).expect("one of the type").place_type_id
    };
    let (coffee, airport) = (of_type("Coffee Shop"), of_type("Airport"));
    let coffee_shops: Meets = |place| place.place_type == "Coffee Shop";
    let airports: Meets = |place| place.place_type == "Airport";
    let both: Meets = |place| ["Coffee Shop", "Airport"].contains(&place.place_type);
    for (asked, meets) in [
        (json!([coffee]), coffee_shops),
        (json!([coffee.to_string()]), coffee_shops),
        (json!([airport, airport]), airports),
        (json!([coffee, airport.to_string(), 1]), both),
        (json!([0, 1, u32::MAX]), |_: &Place<'_>| false),
    ] {
        assert_found(&world, &org, json!({ "place_type_ids": asked }), meets).await;
    }
}

#[tokio::test]
async fn criteria_are_combined_with_and() {
    let world = World::new().await;
    let org = world.org("org_a").await;
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
    for (member, other) in [
        ("place_name", json!("walgreens")),
        ("city", json!("Oakland")),
        ("state", json!("NY")),
        ("zip_code", json!("10027")),
        ("address", json!("no such street")),
        ("place_ids", json!([1])),
        ("place_type_ids", json!([type_id + 1])),
        ("dma_name", json!("New York")),
    ] {
        let mut filter = every.clone();
        filter[member] = other;
        let found = search(&world, &org, &json!({ "filter": filter })).await;
        assert_eq!((total(&found), results(&found)), (0, &[][..]), "{filter}");
        assert_eq!(found["pagination"]["total_pages"], 0);
        let mut without = every.clone();
        without[member] = Value::Null;
        assert!(
            ids(&search(&world, &org, &json!({ "filter": without })).await).contains(&one.id.raw()),
            "{member}"
        );
    }
    let in_city: Meets = |place| place.city == "San Francisco" && has_beginning(place, "starbucks");
    let count =
        assert_found(&world, &org, json!({ "city": "san francisco", "place_name": "starbucks" }), in_city)
            .await;
    assert!(count >= 60, "{count}");
}

#[tokio::test]
async fn a_result_shows_the_place_and_the_areas_that_it_lies_in() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let one = place(samples::place());
    let measures = Measures::open(sample_release()).expect("the sample's measures");
    let record = measures.get(one.id).expect("a readable record").expect("a record");
    let found = search(&world, &org, &json!({ "filter": { "place_ids": [one.id.raw()] } })).await;
    let expected = json!({
        "place_id": one.id.to_string(),
        "place_name": one.name,
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
    });
    assert_eq!(results(&found), [expected]);
    // A borough of Alaska belongs to no market.
    let bethel =
        search(&world, &org, &json!({ "filter": { "place_name": "bethel airport", "state": "AK" } })).await;
    let bethel = &results(&bethel)[0];
    assert_eq!((&bethel["dma_id"], &bethel["dma_name"]), (&Value::Null, &Value::Null));
    assert_eq!(bethel["street_address"], "");
    assert!(bethel["county_name"].as_str().is_some_and(|name| name.contains("Bethel")), "{bethel}");
}

#[tokio::test]
async fn a_search_costs_a_credit_and_says_where_places_come_from() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let answer = ask(&world, &org, super::SEARCH, &json!({})).await;
    assert_eq!(answer.credits_used(), price(Product::PlaceSearch));
    let body = answer.json();
    let meta = &body["meta"];
    assert_eq!(
        (&meta["product"], &meta["credits_used"]),
        (&json!("place_search"), &json!(price(Product::PlaceSearch)))
    );
    assert_eq!(meta["provenance"]["data_maturity"], "synthetic-only", "as the visits are");
    let without_visits = ask(&world, &org, super::SEARCH, &json!({ "fieldSet": ["place_name"] })).await;
    assert_eq!(without_visits.json()["meta"]["provenance"]["data_vintage"], "2024-11-30");
    assert_eq!(total(&body["data"]), places().len());
    assert_eq!(results(&body["data"]).len(), 50);
}

#[tokio::test]
async fn every_state_is_found_by_its_letters_and_by_its_name() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let geographies = Geographies::open(sample_release()).expect("the sample's geographies");
    let mut seen = BTreeSet::new();
    for county in geographies.of_type(GeographyType::County).map(|county| geographies.get(county)) {
        let (name, letters) =
            (geographies.get(county.state.expect("a state")).name, county.name.rsplit_once(", ").unwrap().1);
        // One county of each state will do.
        if !seen.insert(name) {
            continue;
        }
        world.clock.advance(1_000);
        let of = async |state: &str| search(&world, &org, &json!({ "filter": { "state": state } })).await;
        assert_eq!(total(&of(&name.to_uppercase()).await), total(&of(letters).await), "{name}");
    }
    assert_eq!(seen.len(), 51);
}
