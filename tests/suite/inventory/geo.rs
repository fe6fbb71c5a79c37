//! Circles and rectangles find the spots that plain spherical geometry finds, in any unit.

use harness::World;
use serde_json::{Value, json};

use super::{found_by, ids_where, records};

/// The mean radius of the earth, in kilometres.
const RADIUS_KM: f64 = 6_371.008_8;

fn point(record: &Value) -> (f64, f64) {
    let coordinates = &record["location"]["geometry"]["coordinates"];
    (coordinates[1].as_f64().expect("a latitude"), coordinates[0].as_f64().expect("a longitude"))
}

/// Returns how far two points are apart over the great circle, by the haversines.
fn km(one: (f64, f64), other: (f64, f64)) -> f64 {
    let [lat1, lon1, lat2, lon2] = [one.0, one.1, other.0, other.1].map(f64::to_radians);
    let haversine =
        ((lat2 - lat1) / 2.0).sin().powi(2) + lat1.cos() * lat2.cos() * ((lon2 - lon1) / 2.0).sin().powi(2);
    2.0 * RADIUS_KM * haversine.sqrt().asin()
}

#[tokio::test]
async fn a_circle_finds_what_is_at_most_so_far_away() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let centers = [
        point(&records()[0]),
        point(&records()[records().len() - 1]),
        (0.0, 180.0),
        (-90.0, -180.0),
        (90.0, 0.0),
    ];
    for center in centers {
        for reach in [0.5, 2.0, 50.0, 5_000.0, 12_000.0, 20_100.0, 1e12] {
            let expected = ids_where(|record| km(center, point(record)) <= reach);
            let distance = json!({ "lat": center.0, "lon": center.1, "distance": format!("{reach}km") });
            let filter = json!({ "geo_distance": distance });
            assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
        }
    }
}

#[tokio::test]
async fn a_distance_is_the_same_in_every_unit_and_metres_without_one() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let center = point(&records()[0]);
    let expected = ids_where(|record| km(center, point(record)) <= 1.852);
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
        let here = ids_where(|record| point(record) == center);
        let filter = json!({ "geo_distance": { "lat": center.0, "lon": center.1, "distance": nothing } });
        assert_eq!(found_by(&world, &org, &filter).await, here, "{filter}");
    }
}

fn rectangle(north: f64, west: f64, south: f64, east: f64) -> Value {
    json!({ "geo_bounding_box": {
        "top_left": { "lat": north, "lon": west },
        "bottom_right": { "lat": south, "lon": east },
    } })
}

#[tokio::test]
async fn a_rectangle_finds_what_is_within_its_edges_included() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let (lat, lon) = point(&records()[records().len() / 2]);
    for (north, west, south, east) in [
        (90.0, -180.0, -90.0, 180.0),
        (lat, lon, lat, lon),
        (lat + 0.01, lon - 0.01, lat - 0.01, lon + 0.01),
        (38.0, -123.0, 37.0, -122.0),
        (lat + 0.01, lon, lat, lon + 0.01),
        (-10.0, -180.0, -90.0, 180.0),
    ] {
        let expected = ids_where(|record| {
            let (lat, lon) = point(record);
            (south..=north).contains(&lat) && (west..=east).contains(&lon)
        });
        let filter = rectangle(north, west, south, east);
        assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
    }
}

#[tokio::test]
async fn a_rectangle_whose_left_is_east_of_its_right_crosses_the_antimeridian() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for (west, east) in [(170.0, -100.0), (-73.9, -74.1), (180.0, -180.0), (0.0, -74.0)] {
        let expected = ids_where(|record| {
            let (_, lon) = point(record);
            lon >= west || lon <= east
        });
        let filter = rectangle(90.0, west, -90.0, east);
        assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
    }
    assert!(!ids_where(|record| point(record).1 <= -100.0).is_empty());
}
