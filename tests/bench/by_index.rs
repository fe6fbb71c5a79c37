//! Measures inventory searches sorted by the displays' index for a cohort.

use std::time::Duration;

use harness::{quantile, samples, synthesized_release};
use marquee::serve::Releases;
use runtime::Clock;
use serde_json::{Value, json};
use store::Connection;

use crate::answers::Warm;
use crate::times::beside_an_engine;

const SPOTS: usize = 1_000_000;

const PATH: &str = "/msearch/inventory";

/// The number of searches per minute of the fixed clock. It is below a key's rate limit.
const ROUNDS: usize = 15;

/// Prints how long the first search and repeated searches take, for several combinations of filter and
/// cohort.
pub(crate) fn print() {
    let releases = Releases::open(&synthesized_release(SPOTS)).expect("a valid release");
    beside_an_engine(async |connection, clock, _| print_searches(connection, clock, &releases).await);
}

async fn print_searches(connection: Connection, clock: Clock, releases: &Releases) {
    let warm = Warm::new(connection, clock, releases).await;
    let [hispanic, adults, rich] = ["hispanic", "age_25_54", "income_100k_plus"].map(samples::segment);
    let crossed = format!("{hispanic}.{adults}.{rich}");
    let market = json!({ "dma_name": "New York" });
    let cases = [
        ("one market", &adults, &market),
        ("everything", &adults, &json!({})),
        ("everything, another cohort", &rich, &json!({})),
        ("one market, a composed cohort", &crossed, &market),
        ("everything, the same cohort", &crossed, &json!({})),
    ];
    println!("\n== inventory search by index in {SPOTS} spots, warm, one core (target: 10 ms)");
    println!("{:<32} {:>11} {:>11} {:>11}", "filter", "first", "p50", "p99");
    for (name, cohort, filter) in cases {
        let body = json!({
            "filter": filter,
            "service_segment_id": cohort,
            "sort": { "field": "index" },
        });
        let [first, p50, p99] = times(&warm, &body).await;
        println!("{name:<32} {first:>11.1?} {p50:>11.1?} {p99:>11.1?}");
    }
}

async fn times(warm: &Warm, body: &Value) -> [Duration; 3] {
    warm.clock.advance(60_000);
    let (first, _) = warm.post(PATH, body, 200).await;
    let mut calls = Vec::new();
    for _ in 0..ROUNDS {
        calls.push(warm.post(PATH, body, 200).await.0);
    }
    [first, quantile(&mut calls, 0.5), quantile(&mut calls, 0.99)]
}
