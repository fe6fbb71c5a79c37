//! Circle filters: units of the radius and distances from the center.

use dataset::Circle;
use dataset::inventory::{InventoryQuery, InventorySort, InventorySortKey};
use harness::World;
use serde_json::{Value, json};

use super::{ask, assert_refused, everything, found_by, id, ids, ids_of, records, results, search, total};

/// The earth's mean radius, in kilometers.
const RADIUS_KM: f64 = 6_371.008_8;

pub(super) fn point(record: &Value) -> (f64, f64) {
    let coordinates = &record["location"]["geometry"]["coordinates"];
    (coordinates[1].as_f64().expect("a number"), coordinates[0].as_f64().expect("a number"))
}

/// Returns the great-circle distance between two points in kilometers, using the haversine formula.
pub(super) fn km(one: (f64, f64), other: (f64, f64)) -> f64 {
    let [lat1, lon1, lat2, lon2] = [one.0, one.1, other.0, other.1].map(f64::to_radians);
    let haversine =
        ((lat2 - lat1) / 2.0).sin().powi(2) + lat1.cos() * lat2.cos() * ((lon2 - lon1) / 2.0).sin().powi(2);
    2.0 * RADIUS_KM * haversine.sqrt().asin()
}

fn within(center: (f64, f64), km: f64) -> InventoryQuery {
    InventoryQuery { circle: Some(Circle { center: center.into(), km }), ..everything() }
}

fn ids_within(center: (f64, f64), km: f64) -> Vec<u64> {
    ids_of(&within(center, km))
}

#[tokio::test]
async fn distance_units_are_equivalent_and_default_to_meters() {
    let (world, org) = World::with_org().await;
    let center = point(&records()[0]);
    let expected = ids_within(center, 1.852);
    assert!(!expected.is_empty() && expected.len() < records().len());
    let distances = [
        json!("1.852km"),
        json!("1.852 km"),
        json!(" 1852 m "),
        json!("1852"),
        json!(1852),
        json!(1852.0),
        json!("185200cm"),
        json!("1852000 mm"),
        json!("1nmi"),
        json!("1 NM"),
        json!("1.1507794480235mi"),
        json!("1.1507794480235 miles"),
        json!("2025.3718285214yd"),
        json!("6076.1154855643ft"),
        json!("72913.385826772 in"),
        json!("+1852."),
        json!("01852.0"),
    ];
    for distance in distances {
        let filter = json!({ "geo_distance": { "lat": center.0, "lon": center.1, "distance": distance } });
        assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
    }
    for nothing in [json!(0), json!("0km"), json!(".0"), json!(-0.0)] {
        let here = ids_within(center, 0.0);
        let filter = json!({ "geo_distance": { "lat": center.0, "lon": center.1, "distance": nothing } });
        assert_eq!(found_by(&world, &org, &filter).await, here, "{filter}");
    }
}

fn circle(center: (f64, f64), distance: &str) -> Value {
    json!({ "geo_distance": { "lat": center.0, "lon": center.1, "distance": distance } })
}

#[tokio::test]
async fn records_within_a_circle_have_a_distance_and_can_be_sorted_by_it() {
    let (world, org) = World::with_org().await;
    let center = (37.78, -122.41);
    let by_distance = InventorySortKey::DistanceFrom(center.into());
    for (order, descending) in [("asc", false), ("desc", true)] {
        let body = json!({
            "filter": circle(center, "5000km"),
            "fieldSet": ["id", "distance"],
            "sort": { "field": "distance", "order": order },
            "pagination": { "page": 2, "page_size": 700 },
        });
        let found = search(&world, &org, &body).await;
        let sort = InventorySort { key: by_distance, descending };
        let expected = ids_of(&InventoryQuery { sort, ..within(center, 5_000.0) });
        assert_eq!((total(&found), ids(&found)), (expected.len(), expected[700..1_400].to_vec()), "{order}");
        for record in results(&found) {
            assert_eq!(record.as_object().expect("an object").len(), 2, "{record}");
            let own =
                records().iter().find(|own| id(own) == id(record)).expect("the record is in the sample");
            let meters = record["distance"].as_f64().expect("a number");
            // The service uses a different formula, so its result may round to an adjacent centimeter.
            assert!((meters - km(center, point(own)) * 1_000.0).abs() < 0.016, "{record}");
        }
    }
}

#[tokio::test]
async fn distance_is_returned_with_a_circle_unless_other_fields_are_requested() {
    let (world, org) = World::with_org().await;
    let center = point(&records()[0]);
    let shown = async |filter: Value, fields: Value| {
        let body = json!({ "filter": filter, "fieldSet": fields, "pagination": { "page_size": 3 } });
        results(&search(&world, &org, &body).await).to_vec()
    };
    for record in shown(circle(center, "1km"), json!(null)).await {
        let mut own = record.clone();
        let distance = own.as_object_mut().expect("an object").remove("distance").expect("a distance");
        let meters = km(center, point(&record)) * 1_000.0;
        assert!((distance.as_f64().expect("a number") - meters).abs() < 0.006, "{distance} {meters}");
        assert!(records().contains(&own), "the record is unchanged except for the distance");
    }
    for record in shown(circle(center, "1km"), json!(["id", "location.state"])).await {
        assert_eq!(record.get("distance"), None);
    }
    for record in shown(circle(center, "1km"), json!(["distance"])).await {
        assert_eq!(record.as_object().expect("an object").keys().collect::<Vec<_>>(), ["distance"]);
    }
    for record in shown(json!({}), json!(null)).await {
        assert_eq!(record.get("distance"), None);
    }
}

#[tokio::test]
async fn distance_requires_a_circle() {
    let (world, org) = World::with_org().await;
    let detail = "cannot be \"distance\" without a circle; add filter.geo_distance";
    for (name, filter) in
        [("filter", json!({})), ("filters", json!({ "geo_distance": null })), ("filter", json!(null))]
    {
        let body = json!({
            name: filter,
            "fieldSet": ["id", "distance"],
            "sort": { "field": "distance", "order": "desc" },
        });
        let expected = [("invalid_sort", detail), ("invalid_field_set", detail)];
        let answer = ask(&world, &org, &body).await;
        assert_refused(&answer, &expected, &body.to_string());
    }
    let body = json!({ "filters": circle((0.0, 0.0), "1km"), "sort": { "field": "distance" } });
    assert_eq!(total(&search(&world, &org, &body).await), 0);
}

#[tokio::test]
async fn any_of_finds_the_displays_in_at_least_one_circle() {
    let (world, org) = World::with_org().await;
    let (times_square, mission) = ((40.758, -73.985_5), (37.76, -122.42));
    let circle = |center: (f64, f64), distance: &str| json!({ "lat": center.0, "lon": center.1, "distance": distance });
    let near = |center, radius| move |record: &Value| km(center, point(record)) <= radius;
    let (is_east, is_west) = (near(times_square, 0.5), near(mission, 1.0));
    let ids_where = |condition: &dyn Fn(&Value) -> bool| -> Vec<u64> {
        records().iter().filter(|record| condition(record)).map(id).collect()
    };
    let both = ids_where(&|record| is_east(record) || is_west(record));
    assert!(both.len() > ids_where(&is_east).len() && both.len() > ids_where(&is_west).len());
    let circles = json!([circle(times_square, "500m"), circle(mission, "1km"), circle((0.0, 0.0), "1km")]);
    assert_eq!(found_by(&world, &org, &json!({ "any_of": circles })).await, both);
    let filter = json!({ "any_of": circles, "geo_distance": circle(mission, "1km") });
    assert_eq!(found_by(&world, &org, &filter).await, ids_where(&is_west), "criteria are combined");
    let hundred: Vec<Value> = (0..100).map(|at| circle(point(&records()[at]), "0")).collect();
    let first = ids_where(&|record| (0..100).any(|at| point(&records()[at]) == point(record)));
    assert_eq!(found_by(&world, &org, &json!({ "any_of": hundred })).await, first);
}

#[tokio::test]
async fn invalid_circles_of_any_of_return_400() {
    let (world, org) = World::with_org().await;
    let circle = json!({ "lat": 40.0, "lon": -74.0, "distance": "1km" });
    let cases = [
        (json!([]), "/filter/any_of must have 1 to 100 items, but has 0"),
        (json!(vec![circle.clone(); 101]), "/filter/any_of must have 1 to 100 items, but has 101"),
        (circle.clone(), "/filter/any_of must be an array, got an object"),
        (json!([circle.clone(), null]), "/filter/any_of/1 must be an object, got null"),
        (json!([{ "lat": 40.0, "lon": -74.0 }]), "/filter/any_of/0/distance is required"),
    ];
    for (circles, detail) in cases {
        let body = json!({ "filter": { "any_of": circles } });
        assert_refused(&ask(&world, &org, &body).await, &[("invalid_filter", detail)], &body.to_string());
    }
    let detail = "cannot be \"distance\" without a circle; add filter.geo_distance";
    let body = json!({ "filter": { "any_of": [circle] }, "sort": { "field": "distance" } });
    assert_refused(&ask(&world, &org, &body).await, &[("invalid_sort", detail)], &body.to_string());
}
