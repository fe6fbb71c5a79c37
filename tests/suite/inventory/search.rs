//! Inventory filters: each filter returns the results of the equivalent query. Tests in `dataset` compare
//! query results with the results of a plain loop.

use accounting::Product;
use dataset::inventory::{FlagCriterion, InventoryQuery, SpotId, TextCriterion};
use dataset::{Circle, Position, Rectangle};
use harness::{World, price};
use serde_json::{Value, json};

use super::{
    PACE_MILLIS, ask, assert_refused, at, call, everything, found_by, ids, ids_of, record, records,
    release_with, results, router_of, search, total,
};

#[tokio::test]
async fn empty_body_finds_all_measured_records_by_ascending_id() {
    let (world, org) = World::with_org().await;
    let found = search(&world, &org, &json!({})).await;
    assert!(records().len() > 2_000);
    assert_eq!(total(&found), records().len());
    assert_eq!(results(&found), &records()[..50], "the records are complete");
    let members: Vec<_> = found.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["meta", "results", "status", "total"]);
    assert_eq!(found["meta"]["product"], "inventory_search");
    assert_eq!(found["meta"]["credits_used"], price(Product::InventorySearch));
    let nothing = json!({ "state": null, "digital": null, "geo_distance": null, "id_min": null });
    for open in [json!(null), json!({}), nothing] {
        assert_eq!(found_by(&world, &org, &open).await, ids_of(&everything()), "{open}");
    }
}

fn exact(criterion: TextCriterion, text: &str) -> InventoryQuery {
    InventoryQuery { exact: vec![(criterion, vec![text.to_owned()])], ..everything() }
}

/// Returns a nonempty string that a record has at the given path.
fn some_text(path: &str) -> Option<&'static str> {
    let mut texts = records().iter().rev().filter_map(|record| at(record, path).as_str());
    texts.find(|text| !text.is_empty())
}

/// Returns the path of the string that a criterion compares.
fn path_of(criterion: TextCriterion) -> &'static str {
    match criterion {
        TextCriterion::MediaOwner => "representations.0.0.account.name",
        other => other.field().path(),
    }
}

/// Returns filters and their equivalent queries: one filter for each criterion and one combination.
fn cases() -> Vec<(Value, InventoryQuery)> {
    let mut cases = Vec::new();
    for criterion in TextCriterion::ALL {
        if let Some(text) = some_text(path_of(criterion)) {
            cases.push((
                json!({ criterion.name(): format!(" {} ", text.to_uppercase()) }),
                exact(criterion, text),
            ));
        }
    }
    assert!(cases.len() >= 6, "{cases:?}");
    for criterion in FlagCriterion::ALL {
        for wanted in [true, false] {
            let query = InventoryQuery { flags: vec![(criterion, wanted)], ..everything() };
            cases.push((json!({ criterion.name(): wanted }), query));
        }
    }
    let artery: String = some_text("location.primary_artery")
        .expect("a record has an artery")
        .chars()
        .skip(1)
        .take(5)
        .collect();
    let center = Position { latitude: 37.78, longitude: -122.41 };
    let (circle, rectangle) =
        (Circle { center, km: 2.5 }, Rectangle { north: 38.0, south: 37.0, west: -123.0, east: -122.0 });
    let over_antimeridian = Rectangle { north: 90.0, south: -90.0, west: 170.0, east: -100.0 };
    let within = |one: Rectangle| {
        let corner = |lat, lon| json!({ "lat": lat, "lon": lon });
        let corners =
            json!({ "top_left": corner(one.north, one.west), "bottom_right": corner(one.south, one.east) });
        (json!({ "geo_bounding_box": corners }), InventoryQuery { rectangle: Some(one), ..everything() })
    };
    let near = json!({ "lat": center.latitude, "lon": center.longitude, "distance": "2.5km" });
    let together = InventoryQuery {
        flags: vec![(FlagCriterion::Digital, true)],
        search: Some("york".to_owned()),
        ..exact(TextCriterion::State, "NY")
    };
    cases.extend([
        (
            json!({ "primary_artery": artery }),
            InventoryQuery { primary_artery: Some(artery), ..everything() },
        ),
        (
            json!({ "search": "SAN, (fran" }),
            InventoryQuery { search: Some("san fran".to_owned()), ..everything() },
        ),
        (
            json!({ "plant_spot_id": "mn-05-133508" }),
            InventoryQuery { plant_spot_id: Some("mn-05-133508".to_owned()), ..everything() },
        ),
        (json!({ "exclude_modelled": true }), InventoryQuery { exclude_modelled: true, ..everything() }),
        (json!({ "exclude_modelled": false }), everything()),
        (json!({ "venue_type": "transit" }), exact(TextCriterion::VenueType, "transit")),
        (json!({ "state": "new-york" }), exact(TextCriterion::State, "NY")),
        (json!({ "geo_distance": near }), InventoryQuery { circle: Some(circle), ..everything() }),
        within(rectangle),
        within(over_antimeridian),
        (json!({ "state": "ny", "digital": true, "search": "york" }), together),
    ]);
    cases
}

#[tokio::test]
async fn each_filter_returns_the_results_of_its_query() {
    let (world, org) = World::with_org().await;
    let mut found_any = 0;
    for (filter, query) in cases() {
        let expected = ids_of(&query);
        found_any += usize::from(!expected.is_empty() && expected.len() < records().len());
        assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
    }
    assert!(found_any >= 10, "only {found_any} filters match some but not all records");
    for nothing in [
        json!({ "plant_spot_id": "MN-05-133508" }),
        json!({ "media_owner": "CityBridge", "state": "CA" }),
        json!({ "state": "NY", "dma_name": "San Francisco-Oak-San Jose" }),
        json!({ "primary_artery": "no such road" }),
        json!({ "search": "york zebra" }),
        json!({ "state": "Wyoming" }),
    ] {
        assert_eq!(found_by(&world, &org, &nothing).await, [0; 0], "{nothing}");
    }
}

#[tokio::test]
async fn id_bounds_are_inclusive_and_may_be_any_integer() {
    let (world, org) = World::with_org().await;
    let all = ids_of(&everything());
    let (first, middle, last) = (all[0], all[all.len() / 2], all[all.len() - 1]);
    let (first, middle, last) = (first.cast_signed(), middle.cast_signed(), last.cast_signed());
    let huge = i64::from(u32::MAX) + 1;
    let cases = [
        (Some(middle), None),
        (None, Some(middle)),
        (Some(middle), Some(middle)),
        (Some(first), Some(last)),
        (Some(last + 1), None),
        (None, Some(first - 1)),
        (Some(i64::MIN), Some(i64::MAX)),
        (Some(-5), Some(huge)),
        (Some(huge), None),
        (Some(huge), Some(huge)),
        (None, Some(0)),
        (Some(i64::MIN), Some(i64::MIN)),
    ];
    for (min, max) in cases {
        let is_within = |id: u64| {
            min.is_none_or(|min| id.cast_signed() >= min) && max.is_none_or(|max| id.cast_signed() <= max)
        };
        let expected: Vec<u64> = all.iter().copied().filter(|id| is_within(*id)).collect();
        let filter = json!({ "id_min": min, "id_max": max });
        assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
    }
}

#[tokio::test]
async fn filter_and_filters_are_synonyms() {
    let (world, org) = World::with_org().await;
    let from = ids_of(&exact(TextCriterion::State, "NY"))[10];
    let id_min = u32::try_from(from).ok().map(SpotId::from_raw);
    let expected = ids_of(&InventoryQuery { id_min, ..exact(TextCriterion::State, "NY") });
    let filter = json!({ "state": "ny", "id_min": from });
    let page = json!({ "page_size": 10_000 });
    for (name, other) in [("filter", "filters"), ("filters", "filter")] {
        for body in [
            json!({ "fieldSet": ["id"], name: filter, "pagination": page }),
            json!({ "fieldSet": ["id"], name: filter, other: null, "pagination": page }),
        ] {
            assert_eq!(ids(&search(&world, &org, &body).await), expected, "{body}");
        }
    }
}

#[tokio::test]
async fn min_impressions_excludes_lower_and_unknown_figures() {
    let figures = [(1, json!(0)), (2, json!(900)), (3, json!(41_250)), (4, Value::Null)];
    let records = figures.map(|(id, figure)| {
        let source = figure.is_number().then_some("Example Institute");
        record(id, json!({ "weekly_impressions": figure, "impressions_source": source }))
    });
    let (world, org) = World::with_org().await;
    let router = router_of(&world, &release_with(&records, "min-impressions"));
    for (least, expected) in [
        (json!(0), &[1, 2, 3][..]),
        (json!(1), &[2, 3]),
        (json!(900), &[2, 3]),
        (json!(901), &[3]),
        (json!(i64::MAX), &[]),
    ] {
        world.clock.advance(PACE_MILLIS);
        let body = json!({ "filter": { "min_impressions": least } });
        let answer = call(&world, &org, &body).send_to(router.clone()).await;
        // The sample's displays, which have higher IDs, have their own impressions.
        let mut found = ids(&answer.json());
        found.retain(|id| *id <= 4);
        assert_eq!(found, expected, "{body}");
    }
    for (invalid, detail) in
        [(json!(-1), "must be at least 0, got -1"), (json!("900"), "must be a 64-bit integer, got a string")]
    {
        let body = json!({ "filter": { "min_impressions": invalid } });
        assert_refused(&ask(&world, &org, &body).await, &[("invalid_filter", detail)], &body.to_string());
    }
}
