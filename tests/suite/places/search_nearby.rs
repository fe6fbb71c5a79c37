//! Distances in place search and the county filter.
use dataset::{Circle, Place, PlaceId, PlaceQuery, PlaceSort, PlaceSortKey};
use harness::World;
use serde_json::{Value, json};

use super::{SEARCH, ask, found_of, ids, place, results, search, total};

/// The earth's mean radius, in kilometers.
const RADIUS_KM: f64 = 6_371.008_8;

const CENTER: (f64, f64) = (37.785, -122.42);

/// Returns the great-circle distance between a point and a place in meters, using the haversine formula.
fn distance_in_meters(center: (f64, f64), place: &Place<'_>) -> f64 {
    let [lat1, lon1, lat2, lon2] = [center.0, center.1, place.latitude, place.longitude].map(f64::to_radians);
    let haversine =
        ((lat2 - lat1) / 2.0).sin().powi(2) + lat1.cos() * lat2.cos() * ((lon2 - lon1) / 2.0).sin().powi(2);
    2_000.0 * RADIUS_KM * haversine.sqrt().asin()
}

fn circle(center: (f64, f64), distance: &str) -> Value {
    json!({ "geo_distance": { "lat": center.0, "lon": center.1, "distance": distance } })
}

#[tokio::test]
async fn circle_results_have_distances_and_sort_by_them() {
    let (world, org) = World::with_org().await;
    let filter = circle(CENTER, "3km");
    let circle = Some(Circle { center: CENTER.into(), km: 3.0 });
    for (direction, descending) in [("asc", false), ("desc", true)] {
        let sort = json!({ "active": "distance", "direction": direction });
        let body = json!({ "filter": filter, "sort": sort, "pagination": { "page_size": 93 } });
        let found = search(&world, &org, &body).await;
        let sort = PlaceSort { key: PlaceSortKey::DistanceFrom(CENTER.into()), descending };
        let query = PlaceQuery { circle, sort, take: 93, ..PlaceQuery::default() };
        assert_eq!((total(&found), ids(&found)), found_of(&query), "{direction}");
        assert_eq!(results(&found).len(), 93);
        for (shown, id) in results(&found).iter().zip(ids(&found)) {
            let own = distance_in_meters(CENTER, &place(PlaceId::from_raw(id)));
            // The service uses a different formula, so its result may round to an adjacent centimeter.
            assert!((shown["distance"].as_f64().expect("meters") - own).abs() < 0.016, "{shown}");
        }
    }
}

#[tokio::test]
async fn distance_without_a_circle_returns_400() {
    let (world, org) = World::with_org().await;
    let found = search(&world, &org, &json!({ "pagination": { "page_size": 1 } })).await;
    assert_eq!(results(&found)[0].get("distance"), None);
    let detail = "cannot be \"distance\" without a circle; add filter.geo_distance";
    for filter in [json!(null), json!({}), json!({ "geo_distance": null }), json!({ "state": "CA" })] {
        let body = json!({
            "filter": filter,
            "fieldSet": ["place_id", "distance"],
            "sort": { "active": "distance" },
        });
        let expected = [("/sort/active", detail), ("/fieldSet/1", detail)];
        ask(&world, &org, SEARCH, &body).await.assert_invalid(&expected, &body.to_string());
    }
}

#[tokio::test]
async fn county_name_may_omit_the_state() {
    let (world, org) = World::with_org().await;
    let of = async |name: &str| {
        let filter = json!({ "county_name": name });
        search(&world, &org, &json!({ "filter": filter, "pagination": { "page_size": 10_000 } })).await
    };
    let (one, both) = (of("suffolk county, ma").await, of("Suffolk  County").await);
    assert!(total(&one) > 0 && total(&both) > total(&one));
    assert!(results(&one).iter().all(|place| place["county_name"] == "Suffolk County, MA"));
    let suffolk = |place: &Value| {
        let name = place["county_name"].as_str().expect("a county");
        name.starts_with("Suffolk County, ")
    };
    assert!(results(&both).iter().all(suffolk));
    assert_eq!(total(&of("Suffolk County,").await), total(&both));
}
