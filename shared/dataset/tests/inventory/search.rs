//! Tests of inventory search criteria and sort orders.

use dataset::inventory::{
    FlagCriterion, InventoryQuery, InventorySort, InventorySortKey, SortField, SpotId, TextCriterion,
};
use dataset::{Circle, Position, Rectangle};
use serde_json::{Value, json};

use crate::fixture::inventory;

/// Returns a measured spot, with the members of `more` merged into it.
fn spot(id: u32, more: Value) -> Value {
    let mut spot = json!({
        "spot_id": id,
        "location": {"geometry": {"type": "Point", "coordinates": [-73.98, 40.75]}},
        "layouts": [{"faces": [{"spots": [{"measures": [{"impressions": "20260801"}]}]}]}],
    });
    merge(&mut spot, more);
    spot
}

fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (member, value) in more {
                merge(into.entry(member).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more,
    }
}

fn at(id: u32, latitude: f64, longitude: f64) -> Value {
    spot(id, json!({"location": {"geometry": {"coordinates": [longitude, latitude]}}}))
}

fn found(spots: &[Value], query: &InventoryQuery) -> Vec<u32> {
    let inventory = inventory(spots);
    let found = inventory.search(query);
    assert_eq!(found.total, found.spots.len());
    found.spots.into_iter().map(|spot| inventory.id(spot).raw()).collect()
}

#[test]
fn text_criteria_ignore_case_accents_and_hyphens() {
    let spots = [
        spot(1, json!({"media_type": {"name": "Junior Poster"}})),
        spot(2, json!({"media_type": {"name": "JUNIOR-POSTER"}})),
        spot(3, json!({"media_type": {"name": "Júnior  poster"}})),
        spot(4, json!({"media_type": {"name": "Junior Posters"}})),
        spot(5, json!({"media_type": {"name": "Junior"}})),
        spot(6, json!({})),
    ];
    for text in ["Junior Poster", "junior-poster", " JUNIOR   POSTER "] {
        let exact = vec![(TextCriterion::MediaTypeName, vec![text.to_owned()])];
        assert_eq!(
            found(&spots, &InventoryQuery { exact, ..InventoryQuery::default() }),
            [1, 2, 3],
            "{text}"
        );
    }
}

#[test]
fn criterion_with_several_texts_matches_any_of_them() {
    let spots = [1, 2, 3].map(|id| spot(id, json!({"location": {"county_name": format!("County {id}")}})));
    let of = |texts: &[&str]| {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        let exact = vec![(TextCriterion::CountyName, texts)];
        found(&spots, &InventoryQuery { exact, ..InventoryQuery::default() })
    };
    assert_eq!(of(&["county 3", "COUNTY 1", "County 1", "County 4"]), [1, 3]);
    assert_eq!(of(&[]), [0; 0]);
}

#[test]
fn media_owner_is_the_first_account() {
    let account = |name: &str| json!({"account": {"name": name}});
    let spots = [
        spot(1, json!({"representations": [[account("Sky Panels"), account("Other")]]})),
        spot(2, json!({"representations": [[], [account("SKY-PANELS")]]})),
        spot(3, json!({"representations": [[account("Sky Panels Inc")]]})),
        spot(4, json!({"representations": [[account("Other"), account("Sky Panels")]]})),
        spot(5, json!({})),
    ];
    let exact = vec![(TextCriterion::MediaOwner, vec!["sky panels".to_owned()])];
    assert_eq!(found(&spots, &InventoryQuery { exact, ..InventoryQuery::default() }), [1, 2]);
}

#[test]
fn plant_spot_id_must_match_exactly() {
    let of = |id, plant_spot_ids: &[&str]| {
        let spots: Vec<Value> = plant_spot_ids
            .iter()
            .map(|own| json!({"plant_spot_id": own, "measures": [{"a": "20260801"}]}))
            .collect();
        spot(id, json!({"layouts": [{"faces": [{"spots": spots}]}]}))
    };
    let spots = [of(1, &["NY-1"]), of(2, &["ny-1"]), of(3, &["", "NY-1"]), of(4, &["NY-2", "NY-1"])];
    let query = InventoryQuery { plant_spot_id: Some("NY-1".to_owned()), ..InventoryQuery::default() };
    assert_eq!(found(&spots, &query), [1, 3]);
}

#[test]
fn displays_without_a_date_are_not_known_to_be_available() {
    let spots = [
        spot(1, json!({"available_from": "2027-01-04"})),
        spot(2, json!({"available_from": "2027-01-05"})),
        spot(3, json!({"available_from": "2026-12-31"})),
        spot(4, json!({})),
    ];
    for (day, ids) in [("2026-12-30", vec![]), ("2027-01-04", vec![1, 3]), ("2028-01-01", vec![1, 2, 3])] {
        let available_by = Some(day.parse().expect("valid date"));
        assert_eq!(
            found(&spots, &InventoryQuery { available_by, ..InventoryQuery::default() }),
            ids,
            "{day}"
        );
    }
}

#[test]
fn spots_with_any_modelled_member_can_be_left_out() {
    let modelled = spot(1, json!({"modelled": ["location.orientation"]}));
    let spots = [modelled, spot(2, json!({"modelled": []})), spot(3, json!({}))];
    let query = InventoryQuery { exclude_modelled: true, ..InventoryQuery::default() };
    assert_eq!(found(&spots, &query), [2, 3]);
    assert_eq!(found(&spots[1..], &query), [2, 3]);
    assert_eq!(found(&spots[..1], &query), [0; 0]);
}

#[test]
fn weekly_impressions_are_measurements() {
    let unmeasured = |id, more: Value| {
        let mut spot = spot(id, more);
        spot["layouts"].take();
        spot
    };
    let spots = [
        unmeasured(1, json!({"weekly_impressions": 0})),
        unmeasured(2, json!({"impressions_source": "Institute"})),
    ];
    assert_eq!(found(&spots, &InventoryQuery::default()), [1]);
}

#[test]
fn numbers_are_sorted_as_numbers() {
    let figures = [(1, 90), (2, 1_000_000_000_000_i64), (3, 0), (4, 1_000)];
    let spots = figures.map(|(id, figure)| spot(id, json!({"weekly_impressions": figure})));
    let key = InventorySortKey::Field(SortField::find("weekly_impressions").unwrap());
    let sort = InventorySort { key, descending: true };
    assert_eq!(found(&spots, &InventoryQuery { sort, ..InventoryQuery::default() }), [2, 4, 1, 3]);
    assert!(SortField::find("modelled").is_none() && SortField::find("rate").is_none());
}

#[test]
fn missing_flag_matches_neither_true_nor_false() {
    let spots = [spot(1, json!({"digital": true})), spot(2, json!({"digital": false})), spot(3, json!({}))];
    for (wanted, ids) in [(true, [1]), (false, [2])] {
        let flags = vec![(FlagCriterion::Digital, wanted)];
        assert_eq!(found(&spots, &InventoryQuery { flags, ..InventoryQuery::default() }), ids);
    }
}

#[test]
fn every_word_must_match_and_the_last_one_can_be_a_prefix() {
    let spots = [spot(
        1,
        json!({
            "media_name": "Wall 12-B",
            "location": {
                "dma_name": "New York",
                "cbsa_name": "New York-Newark",
                "county_name": "Kings County, NY",
                "primary_artery": "O'Hare Ave & 7th",
                "state": "NJ",
            },
        }),
    )];
    let cases = [
        ("new york", true),
        ("york new", true),
        ("york kings wall", true),
        ("wal", true),
        ("wal 12", false),
        ("12 wal", true),
        ("ohare ave", true),
        ("O'Hare", true),
        ("hare", false),
        ("7TH AVE", true),
        ("nj", false),
        ("new york x", false),
        ("&&", false),
    ];
    for (text, is_found) in cases {
        let query = InventoryQuery { search: Some(text.to_owned()), ..InventoryQuery::default() };
        assert_eq!(found(&spots, &query), if is_found { vec![1] } else { vec![] }, "{text}");
    }
}

#[test]
fn circle_uses_great_circle_distances() {
    // One degree of a great circle is 111.195 km long.
    let spots = [at(1, 0.0, 0.0), at(2, 0.0, 1.0), at(3, 1.0, 0.0), at(4, 89.0, 180.0), at(5, 89.0, 0.0)];
    let near = |latitude, longitude, km| InventoryQuery {
        circle: Some(Circle { center: Position { latitude, longitude }, km }),
        ..InventoryQuery::default()
    };
    assert_eq!(found(&spots, &near(0.0, 0.0, 111.19)), [1]);
    assert_eq!(found(&spots, &near(0.0, 0.0, 111.2)), [1, 2, 3]);
    assert_eq!(found(&spots, &near(0.0, 0.0, 0.0)), [1]);
    assert_eq!(found(&spots, &near(90.0, 77.0, 111.2)), [4, 5]);
    assert_eq!(found(&spots, &near(0.0, 90.0, 20_016.0)), [1, 2, 3, 4, 5]);
}

#[test]
fn rectangle_includes_its_edges_and_can_cross_the_antimeridian() {
    let spots = [at(1, 52.0, 179.5), at(2, 52.0, -179.5), at(3, 52.0, 0.0), at(4, 60.0, 179.0)];
    let within = |north, south, west, east| InventoryQuery {
        rectangle: Some(Rectangle { north, south, west, east }),
        ..InventoryQuery::default()
    };
    assert_eq!(found(&spots, &within(53.0, 52.0, 179.5, -179.5)), [1, 2]);
    assert_eq!(found(&spots, &within(53.0, 51.0, -179.5, 179.5)), [1, 2, 3]);
    assert_eq!(found(&spots, &within(60.0, 60.0, 179.0, 179.0)), [4]);
    let spots = [at(1, 52.0, 180.0), at(2, 52.0, -180.0), at(3, 52.0, 179.0)];
    for (west, east) in [(179.5, 180.0), (-180.0, -179.5), (180.0, -180.0), (180.0, 180.0), (179.5, -179.5)] {
        assert_eq!(found(&spots, &within(53.0, 51.0, west, east)), [1, 2], "{west} {east}");
    }
}

#[test]
fn id_bounds_are_inclusive() {
    let spots = [spot(5, json!({})), spot(6, json!({})), spot(9, json!({})), spot(u32::MAX, json!({}))];
    let cases =
        [(Some(6), Some(9), vec![6, 9]), (Some(7), None, vec![9, u32::MAX]), (None, Some(5), vec![5])];
    for (min, max, ids) in cases {
        let (id_min, id_max) = (min.map(SpotId::from_raw), max.map(SpotId::from_raw));
        assert_eq!(found(&spots, &InventoryQuery { id_min, id_max, ..InventoryQuery::default() }), ids);
    }
}

#[test]
fn unmeasured_spots_are_never_found() {
    let of = |id, measures: Value| {
        let mut spot = spot(id, json!({"media_name": "x"}));
        spot["layouts"][0]["faces"][0]["spots"][0]["measures"] = measures;
        spot
    };
    let spots =
        [of(1, json!([])), of(2, json!([{}])), of(3, json!([{"a": ""}])), of(4, json!([{"a": "20260801"}]))];
    let anywhere = Circle { center: Position { latitude: 0.0, longitude: 0.0 }, km: 30_000.0 };
    let queries = [
        InventoryQuery::default(),
        InventoryQuery { circle: Some(anywhere), ..InventoryQuery::default() },
        InventoryQuery { search: Some("x".to_owned()), ..InventoryQuery::default() },
        InventoryQuery {
            exact: vec![(TextCriterion::MediaName, vec!["x".to_owned()])],
            ..InventoryQuery::default()
        },
    ];
    for query in queries {
        assert_eq!(found(&spots, &query), [4]);
    }
}

#[test]
fn missing_values_come_last_and_ties_are_ordered_by_id() {
    let spots = [
        spot(1, json!({})),
        spot(2, json!({"media_name": "b"})),
        spot(3, json!({"media_name": "A"})),
        spot(4, json!({"media_name": "B"})),
        spot(5, json!({"media_name": "á"})),
    ];
    let key = InventorySortKey::Field(SortField::find("media_name").unwrap());
    for (descending, ids) in [(false, [3, 5, 2, 4, 1]), (true, [2, 4, 3, 5, 1])] {
        let sort = InventorySort { key, descending };
        assert_eq!(found(&spots, &InventoryQuery { sort, ..InventoryQuery::default() }), ids);
    }
    let key = InventorySortKey::Field(SortField::find("id").unwrap());
    let by_id = InventorySort { key, descending: true };
    assert_eq!(found(&spots, &InventoryQuery { sort: by_id, ..InventoryQuery::default() }), [5, 4, 3, 2, 1]);
    assert!(SortField::find("layouts.id").is_none() && SortField::find("location").is_none());
}
