//! Measures how long it takes to open a release, and how much time calls take beyond authentication and
//! charging.

use std::time::{Duration, Instant};

use accounting::{Scope, Tier};
use axum::Router;
use axum::body::Body;
use dataset::{Folder, Part, PlaceQuery, Places};
use gateway::{App, Config};
use harness::{api_key, organization, quantile, sample_release, samples};
use http::Request;
use http_body_util::BodyExt;
use marquee::administrator::Administrator;
use marquee::serve::{Gateway, Releases};
use runtime::{Clock, Random};
use serde_json::{Value, json};
use store::{Connection, create_tables};
use tower::ServiceExt;

use crate::times::{beside_an_engine, of_rounds};

const ROUNDS: usize = 100;

/// Prints the time to open a release, and the extra time of complete calls.
pub(crate) fn print() {
    let folder = sample_release();
    let [opened, _] = of_rounds(50, || Releases::open(&reopened(folder)).expect("a release"));
    let [verified, _] = of_rounds(5, || folder.verify(&Part::ALL).expect("a valid release"));
    println!("\n== a release of {} MB (target: opened in 10 ms)", megabytes(folder));
    println!("opened {opened:.1?}  all checksums verified, one core {verified:.1?}");
    beside_an_engine(async |connection, clock, _| print_answers(connection, clock).await);
}

async fn print_answers(connection: Connection, clock: Clock) {
    let warm = Warm::new(connection, clock, harness::sample()).await;
    println!(
        "\n== warm answers, one core: the whole call, and the difference from a call with an invalid body"
    );
    println!(
        "{:<40} {:>10} {:>11} {:>11} {:>11} {:>12}",
        "call", "target", "p50", "p99", "beyond p50", "bytes"
    );
    for (name, aim, path, body) in cases() {
        let (mut calls, mut refusals, mut bytes) = (Vec::new(), Vec::new(), 0);
        // A new minute resets the rate limit.
        warm.clock.advance(60_000);
        for _ in 0..ROUNDS {
            // Alternates between the two calls, so that a slow machine affects both equally.
            let (taken, answered) = warm.post(path, &body, 200).await;
            calls.push(taken);
            bytes = answered;
            refusals.push(warm.post(path, &json!({ "unknown": 1 }), 400).await.0);
        }
        let (p50, p99) = (quantile(&mut calls, 0.5), quantile(&mut calls, 0.99));
        let beyond = p50.saturating_sub(quantile(&mut refusals, 0.5));
        println!("{name:<40} {aim:>10} {p50:>11.1?} {p99:>11.1?} {beyond:>11.1?} {bytes:>12}");
    }
}

type Case = (&'static str, &'static str, &'static str, Value);

fn cases() -> Vec<Case> {
    let places = Places::open(sample_release()).expect("the sample's places");
    let found = |take| {
        let query = PlaceQuery { place_name: Some("starbucks".to_owned()), take, ..PlaceQuery::default() };
        let ids = places.search(&query).places;
        json!({ "place_id": ids.into_iter().map(|place| places.get(place).id.raw()).collect::<Vec<_>>() })
    };
    let segment = samples::segment("income_100k_plus");
    let at_home =
        |geography_type: &str| json!({ "service_segment_id": segment, "geography_type": [geography_type] });
    let top = json!({
        "service_segment_id": segment,
        "geography_type": ["COUNTY"],
        "sort": { "active": "composition_index", "direction": "desc" },
        "pagination": { "page_size": 20 },
    });
    let mut side_by_side = found(100);
    side_by_side["by_place"] = json!({ "service_segment_ids": [segment, samples::segment("age_18_34")] });
    let mut composed = side_by_side.clone();
    let part = samples::segment("hispanic");
    composed["by_place"]["service_segment_ids"] = json!([format!("{segment}.{part}")]);
    let (report, population) = ("/v2/measures/place/report", "/v2/measures/population/at_home");
    vec![
        (
            "place search, 50 places",
            "1 ms",
            "/v2/msearch",
            json!({ "filter": { "place_name": "starbucks" } }),
        ),
        ("match of 100 addresses", "50 ms", "/v2/places/match", hundred_addresses(&places)),
        ("report of one place", "1 ms", report, found(1)),
        ("report of 100 places", "20 ms", report, found(100)),
        ("report of 100 places, side by side", "20 ms", report, side_by_side),
        ("report of 100 places, a composed cohort", "20 ms", report, composed),
        ("report of 1,000 places", "", report, found(1_000)),
        ("population at home, 3,144 counties", "5 ms", population, at_home("COUNTY")),
        ("population at home, top 20 counties", "5 ms", population, top),
        ("population at home, 210 DMAs", "", population, at_home("DMA")),
        ("population at home, 5,000 ZIP codes", "", population, at_home("ZIP")),
    ]
}

/// Returns a match request with the names and addresses of 100 places, evenly spaced over the sample.
fn hundred_addresses(places: &Places) -> Value {
    let inputs = places.indexes().step_by(places.len() / 100).take(100).map(|index| {
        let place = places.get(index);
        let address = format!("{}, {}, {}", place.street_address, place.city, place.state);
        json!({ "name": place.name, "address": address })
    });
    json!({ "inputs": inputs.collect::<Vec<Value>>() })
}

/// A warm process's functions and an API key for calling them.
pub(crate) struct Warm {
    pub(crate) clock: Clock,
    router: Router,
    key: String,
}

impl Warm {
    pub(crate) async fn new(connection: Connection, clock: Clock, releases: &Releases) -> Self {
        let app = App::new(Config::new(connection), clock.clone(), Random::System);
        create_tables(&app.dynamo).await.expect("tables");
        let administrator = Administrator::new(app.clone());
        let org = organization(&administrator, "org_bench", Tier::Enterprise, 1_000_000).await;
        let key = api_key(&administrator, &org, "bench", Scope::all()).await;
        let router = Gateway::new(&app, releases).into_router();
        Self { clock, router, key }
    }

    /// Sends a call and returns its duration and the length of the response.
    pub(crate) async fn post(&self, path: &str, body: &Value, status: u16) -> (Duration, usize) {
        let request = Request::post(path)
            .header("x-api-key", &self.key)
            .header("apikey", &self.key)
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .expect("a request");
        let router = self.router.clone();
        let start = Instant::now();
        let response = router.oneshot(request).await.expect("infallible");
        let answered = response.status();
        let bytes = response.into_body().collect().await.expect("a body").to_bytes().len();
        let taken = start.elapsed();
        assert_eq!(answered, status, "{path}");
        (taken, bytes)
    }
}

fn reopened(folder: &Folder) -> Folder {
    Folder::open(folder.path()).expect("a release")
}

fn megabytes(folder: &Folder) -> u64 {
    folder.manifest().files.values().map(|file| file.bytes).sum::<u64>() / 1_000_000
}
