//! Measures campaign and event estimates of different sizes, in one market and nationwide.

use std::path::Path;

use dataset::{Geographies, Geography, GeographyType, Places};
use harness::{build_release, quantile, sample_release, samples};
use marquee::serve::Releases;
use runtime::Clock;
use serde_json::{Value, json};
use store::Connection;

use crate::answers::Warm;
use crate::times::beside_an_engine;

const ROUNDS: usize = 40;

/// The market with the most ZIP codes.
const MARKET: &str = "US2020XDMA501";

/// The numbers of displays or places per estimate.
const SIZES: [usize; 3] = [20, 200, 2_000];

/// The first display ID in the market, and the first one in the nationwide set.
pub(crate) const IDS: [usize; 2] = [1_000_000, 2_000_000];

/// Prints how long each estimate takes, by area and size.
pub(crate) fn print() {
    let releases = releases();
    beside_an_engine(async |connection, clock, _| print_estimates(connection, clock, &releases).await);
}

async fn print_estimates(connection: Connection, clock: Clock, releases: &Releases) {
    let warm = Warm::new(connection, clock, releases).await;
    println!("\n== estimates, warm, one core (target: 100 ms for 2,000 displays over the nation)");
    println!(
        "{:<10} {:>6} {:<8} {:>6} {:>11} {:>11} {:>9}",
        "of", "size", "area", "weeks", "p50", "p99", "bytes"
    );
    for (area, market, first) in [("market", MARKET, IDS[0]), ("nation", "XX2020NATNUS", IDS[1])] {
        let places = places(market);
        for size in SIZES {
            let displays = first..first + size;
            for (weeks, end) in [(12, "2027-06-27"), (53, "2028-04-04")] {
                let body = campaign(market, displays.clone(), end);
                let of = format!("{size:>6} {area:<8} {weeks:>6}");
                print_calls(&warm, &format!("campaign   {of}"), "/v2/measures/campaigns/estimate", &body)
                    .await;
            }
            let body = event(market, &places[..size]);
            let of = format!("{size:>6} {area:<8} {:>6}", 12);
            print_calls(&warm, &format!("event      {of}"), "/v2/measures/events/estimate", &body).await;
        }
    }
}

async fn print_calls(warm: &Warm, what: &str, path: &str, body: &Value) {
    let (mut calls, mut bytes) = (Vec::new(), 0);
    warm.clock.advance(60_000);
    for _ in 0..ROUNDS {
        let (taken, answered) = warm.post(path, body, 200).await;
        calls.push(taken);
        bytes = answered;
    }
    let (p50, p99) = (quantile(&mut calls, 0.5), quantile(&mut calls, 0.99));
    println!("{what} {p50:>11.1?} {p99:>11.1?} {bytes:>9}");
}

/// Returns places in a market or in the nation, evenly spaced over the sample.
fn places(market: &str) -> Vec<String> {
    let geographies = Geographies::open(sample_release()).expect("the sample's geographies");
    let area = geographies.find(&market.parse().expect("an ID"));
    let places = Places::open(sample_release()).expect("the sample's places");
    let all = places.indexes().map(|index| places.get(index));
    let within = all.filter(|place| area == Some(geographies.nation()) || place.dma == area);
    let ids: Vec<String> = within.map(|place| place.id.to_string()).collect();
    ids.iter().step_by(ids.len() / SIZES[2]).cloned().collect()
}

fn event(market: &str, places: &[String]) -> Value {
    let period = json!({
        "period_name": "season", "start_time": "2027-04-05T00:00:00Z", "end_time": "2027-06-28T00:00:00Z",
    });
    json!({
        "periods": [period],
        "place_ids": places,
        "cohort": { "geography_ids": [market], "service_segment_id": samples::segment("age_18_34") },
        "customer": samples::event()["customer"],
        "timezone": "America/New_York",
    })
}

pub(crate) fn campaign(market: &str, displays: std::ops::Range<usize>, end: &str) -> Value {
    let spot = |id: usize| json!({ "display_id": id.to_string(), "spot_id": id });
    json!({
        "flight": { "start_date": "2027-04-05", "end_date": end },
        "spots": displays.map(spot).collect::<Vec<Value>>(),
        "cohort": {
            "geography_ids": [market],
            "service_segment_ids": [samples::segment("age_18_34")],
            "service_base_segment_id": samples::segment("everyone"),
        },
        "customer": samples::campaign()["customer"],
    })
}

/// Returns a release with one set of displays in the market's ZIP codes and another in ZIP codes nationwide.
/// Each set contains displays in every environment. Displays in the same set share a ZIP code only if there
/// are more displays than ZIP codes.
pub(crate) fn releases() -> Releases {
    let geographies = Geographies::open(sample_release()).expect("the sample's geographies");
    let market = geographies.find(&MARKET.parse().expect("an ID"));
    let zips = geographies.of_type(GeographyType::Zip).map(|zip| geographies.get(zip));
    let inhabited: Vec<Geography<'_>> =
        zips.filter(|zip| zip.population > 0 && zip.position.is_some()).collect();
    let of_market: Vec<&Geography<'_>> = inhabited.iter().filter(|zip| zip.dma == market).collect();
    let of_nation: Vec<&Geography<'_>> = inhabited.iter().collect();
    let mut lines = String::new();
    for (first, zips) in IDS.into_iter().zip([of_market, of_nation]) {
        for number in 0..SIZES[2] {
            let step = (zips.len() / SIZES[2]).max(1);
            lines += &record(first + number, zips[number * step % zips.len()], number).to_string();
            lines.push('\n');
        }
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("estimates-bench");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("created");
    std::fs::write(folder.join("records.jsonl"), lines).expect("written");
    let list = "label = \"bench\"\n[sample]\nplaces = true\n[[displays]]\nsource = \"Example Outdoor\"\n\
                vintage = 2026-06-30\nfiles = [\"records.jsonl\"]\n";
    std::fs::write(folder.join("release.toml"), list).expect("written");
    let release = build_release(&folder.join("release.toml"), &folder.join("releases"));
    Releases::open(&release).expect("a valid release")
}

fn record(id: usize, zip: &Geography<'_>, number: usize) -> Value {
    let venues = ["outdoor.billboards.roadside", "outdoor.urban_panels", "transit.subway", "retail.malls"];
    let position = zip.position.expect("a position");
    json!({
        "spot_id": id,
        "digital": number.is_multiple_of(3),
        "venue_type": venues[number % venues.len()],
        "weekly_impressions": 10_000 + 37 * number,
        "location": {
            "zip_code": zip.id.national_id().to_string(),
            "geometry": { "type": "Point", "coordinates": [position.longitude, position.latitude] },
        },
    })
}
