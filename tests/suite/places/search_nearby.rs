//! Circles, rectangles and distances of place search, held to a look at every place.

use dataset::{Place, fold};
use harness::{TestOrg, World};
use serde_json::{Value, json};

use super::{SEARCH, all_places, ask, ids, place, results, search, total};

/// The mean radius of the Earth, in kilometres.
const RADIUS_KM: f64 = 6_371.008_8;

const CENTER: (f64, f64) = (37.785, -122.42);

/// Returns how far a place is from a point over the great circle, by the haversines.
fn metres(center: (f64, f64), place: &Place<'_>) -> f64 {
    let [lat1, lon1, lat2, lon2] = [center.0, center.1, place.latitude, place.longitude].map(f64::to_radians);
    let haversine =
        ((lat2 - lat1) / 2.0).sin().powi(2) + lat1.cos() * lat2.cos() * ((lon2 - lon1) / 2.0).sin().powi(2);
    2_000.0 * RADIUS_KM * haversine.sqrt().asin()
}

fn circle(center: (f64, f64), distance: &str) -> Value {
    json!({ "geo_distance": { "lat": center.0, "lon": center.1, "distance": distance } })
}

/// Holds a filter to a look at every place, in the order of names.
async fn assert_found(world: &World, org: &TestOrg, filter: &Value, meets: impl Fn(&Place<'_>) -> bool) {
    let found = search(world, org, &json!({ "filter": filter, "pagination": { "page_size": 1_000 } })).await;
    let mut expected: Vec<(String, u64)> =
        all_places().filter(|place| meets(place)).map(|place| (fold(place.name), place.id.raw())).collect();
    expected.sort();
    assert_eq!(total(&found), expected.len(), "{filter}");
    let shown: Vec<u64> = expected.iter().take(1_000).map(|place| place.1).collect();
    assert_eq!(ids(&found), shown, "{filter}");
}

#[tokio::test]
async fn a_circle_finds_what_is_at_most_so_far_away() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for (center, distance, reach) in [
        (CENTER, "1km", 1_000.0),
        (CENTER, "3 mi", 4_828.032),
        (CENTER, "0m", 0.0),
        ((64.0, 180.0), "1500km", 1_500_000.0),
        ((90.0, 0.0), "4000km", 4_000_000.0),
        ((0.0, 0.0), "1e0", f64::NAN),
    ] {
        let filter = circle(center, distance);
        if reach.is_nan() {
            let answer = ask(&world, &org, SEARCH, &json!({ "filter": filter })).await;
            answer.assert_invalid(&[("/filter/geo_distance/distance", "has the unknown unit e0")], distance);
            continue;
        }
        assert_found(&world, &org, &filter, |place| metres(center, place) <= reach).await;
    }
}

#[tokio::test]
async fn a_rectangle_finds_what_is_within_and_may_cross_the_antimeridian() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for (north, west, south, east) in [
        (37.81, -122.52, 37.70, -122.35),
        (72.0, 172.0, 51.0, -150.0),
        (90.0, -180.0, -90.0, 180.0),
        (37.0, -122.0, 37.0, -122.0),
    ] {
        let filter = json!({ "geo_bounding_box": {
            "top_left": { "lat": north, "lon": west },
            "bottom_right": { "lat": south, "lon": east },
        } });
        assert_found(&world, &org, &filter, |place| {
            let is_between = match west <= east {
                true => (west..=east).contains(&place.longitude),
                false => place.longitude >= west || place.longitude <= east,
            };
            is_between && (south..=north).contains(&place.latitude)
        })
        .await;
    }
}

#[tokio::test]
async fn results_within_a_circle_say_how_far_they_are_and_are_sorted_by_it() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let filter = circle(CENTER, "3km");
    let mut expected: Vec<(i64, u64)> = all_places()
        .filter(|place| metres(CENTER, place) <= 3_000.0)
        .map(|place| ((metres(CENTER, &place) * 100.0).round() as i64, place.id.raw()))
        .collect();
    assert!(expected.len() > 100 && expected.len() < 1_000, "{}", expected.len());
    for direction in ["asc", "desc"] {
        expected.sort_by_key(|(distance, id)| (if direction == "asc" { *distance } else { -distance }, *id));
        let sort = json!({ "active": "distance", "direction": direction });
        let mut tiled = Vec::new();
        for page in 1.. {
            let pagination = json!({ "page": page, "page_size": 93 });
            let body = json!({ "filter": filter, "sort": sort, "pagination": pagination });
            let found = search(&world, &org, &body).await;
            if results(&found).is_empty() {
                break;
            }
            for shown in results(&found) {
                let metres = shown["distance"].as_f64().expect("metres");
                tiled.push(((metres * 100.0).round() as i64, super::ids(&json!({ "results": [shown] }))[0]));
            }
        }
        assert_eq!(tiled, expected, "{direction}");
    }
}

#[tokio::test]
async fn without_a_circle_there_is_no_distance_to_show_or_to_sort_by() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let found = search(&world, &org, &json!({ "pagination": { "page_size": 1 } })).await;
    assert_eq!(results(&found)[0].get("distance"), None);
    let detail = "distance: a distance is one from the middle of a circle; send filter.geo_distance too";
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
async fn a_brand_is_the_whole_name_of_the_chain_whatever_its_places_are_called() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let brand = place(harness::samples::place()).brand;
    assert_eq!(brand, "Starbucks");
    for written in ["Starbucks", "STÁRBUCKS", "  starbucks "] {
        assert_found(&world, &org, &json!({ "brand": written }), |place| place.brand == brand).await;
    }
    for nothing in ["Starbuck", "Starbucks Coffee", "Airport"] {
        assert_found(&world, &org, &json!({ "brand": nothing }), |_| false).await;
    }
    let filter = json!({ "brand": "starbucks", "state": "Massachusetts" });
    assert_found(&world, &org, &filter, |place| place.brand == brand && place.state == "MA").await;
}

#[tokio::test]
async fn a_county_is_named_with_or_without_its_state() {
    let world = World::new().await;
    let org = world.org("org_a").await;
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
    for nothing in ["Suffolk", "Suffolk County,", "Suffolk County, TX", "25025"] {
        assert_eq!(total(&of(nothing).await), 0, "{nothing}");
    }
}
