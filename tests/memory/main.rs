//! Measures each function's memory growth for the worst request bodies. This test has its own binary because
//! it counts allocations.
//!
//! `cargo test -p marquee-tests --test memory -- --nocapture` prints the worst bodies for each operation.

#![allow(clippy::print_stdout, reason = "the test prints figures")]

mod answers;
mod assets;
mod meter;

use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use answers::largest_answers;
use assets::{hostile_lists, large_edits, largest_assets, too_large_an_asset};
use harness::{Answer, OPERATIONS, Operation, Room, WORST_BODIES, operation};
use http::{Method, StatusCode};
use meter::{Meter, Target};
use store::Family;

/// The maximum memory growth during a call, in bytes.
const MAX_GROWTH: u64 = 64_000_000;

/// The maximum number of values that the service accepts in a body.
const MAX_VALUES: usize = 250_000;

/// Lambda's limit on a request body, in bytes.
const MAX_LAMBDA_BODY: usize = 6 * 1024 * 1024;

/// The maximum difference in memory between a call with a body and one without, in bytes.
const TOLERANCE: u64 = 500_000;

/// A body's description, and the memory growth that it causes, in bytes.
struct Growth {
    body: String,
    bytes: u64,
}

#[test]
fn memory_growth_is_at_most_64_mb_for_every_body() {
    let with_body = Mutex::new(OPERATIONS.iter().filter(|operation| operation.body.is_some()));
    let next = || with_body.lock().expect("no operation has failed").next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                // Allocations are counted per thread, so each thread has its own meter.
                let meter = Meter::new();
                while let Some(operation) = next() {
                    check_growth(&meter, operation);
                }
            });
        }
    });
}

#[test]
fn operations_without_a_body_do_not_read_one() {
    let meter = Meter::new();
    // Omits tiles, because creating their paths requires a process whose connections belong to this thread.
    let bodiless = OPERATIONS.iter().filter(|operation| operation.body.is_none());
    for operation in bodiless.filter(|operation| !operation.path.contains("{layer}")) {
        let target = meter.target(operation);
        let (without, _) = meter.measure(&target, Vec::new());
        let (with, _) = meter.measure(&target, vec![b'['; MAX_LAMBDA_BODY]);
        assert!(with <= without + TOLERANCE, "{}: {with} bytes, {without} without a body", operation.name());
    }
}

fn check_growth(meter: &Meter, operation: &'static Operation) {
    let target = meter.target(operation);
    let mut measured = measure_worst_bodies(meter, &target);
    measured.extend(measure_large_responses(meter, &target));
    // A PUT parses its body like a create, and writes it like a create or an edit.
    if let Some(family) = operation.family().filter(|_| operation.method != Method::PUT) {
        if !operation.takes_an_asset_id() {
            // Edits aren't measured, because they parse lists with the same types as creates.
            measured.extend(measure_hostile_lists(meter, &target, family));
        }
        measured.extend(measure_large_assets(meter, &target, family));
    }
    measured.sort_unstable_by_key(|growth| Reverse(growth.bytes));
    let shown = |growth: &Growth| format!("{:>8.1} MB  {}\n", growth.bytes as f64 / 1e6, growth.body);
    let worst: String = measured.iter().take(3).map(shown).collect();
    println!("\n{}\n{worst}", operation.name());
    assert!(measured[0].bytes <= MAX_GROWTH, "{}: {worst}", operation.name());
}

/// Sends each of the worst bodies twice, filled to the operation's byte limit: once within the limit on
/// values and once beyond it.
fn measure_worst_bodies(meter: &Meter, target: &Target) -> Vec<Growth> {
    let operation = target.operation;
    let bytes = operation.product.max_body_bytes();
    let mut measured = Vec::new();
    for body in &WORST_BODIES {
        let mut texts = [MAX_VALUES, usize::MAX].map(|values| body.filling(Room { bytes, values })).to_vec();
        texts.dedup();
        for text in texts {
            let context = format!("{} to {}, {} bytes", body.name, operation.name(), text.len());
            let (bytes, answered) = meter.measure(target, text);
            assert_eq!(answered.status, StatusCode::BAD_REQUEST, "{context}");
            assert_eq!(code(&answered), "VALIDATION_ERROR", "{context}");
            assert_eq!(answered.credits_used(), operation.price_of_errors(), "{context}");
            measured.push(Growth { body: context, bytes });
        }
    }
    let (bytes, answered) = meter.measure(target, vec![b'['; 2 * bytes]);
    assert_eq!(answered.error(), (413, "PAYLOAD_TOO_LARGE".to_owned()));
    measured.push(Growth { body: "twice the byte limit".to_owned(), bytes });
    measured
}

/// Requests an operation's largest responses in each media type.
fn measure_large_responses(meter: &Meter, target: &Target) -> Vec<Growth> {
    let forms = meter.forms(target.operation);
    let bodies = largest_answers(target.operation.id).into_iter();
    bodies
        .flat_map(|body| forms.iter().map(move |form| (body.clone(), *form)))
        .map(|(body, form)| {
            let (bytes, answer) = meter.measure_as(target, body.to_string().into(), form);
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            let shown: String = body.to_string().chars().take(60).collect();
            Growth { body: format!("{shown}, response of {} bytes of {form}", answer.body.len()), bytes }
        })
        .collect()
}

fn measure_hostile_lists(meter: &Meter, target: &Target, family: Family) -> Vec<Growth> {
    let room = room_of(target.operation);
    let bodies = hostile_lists(family, room).into_iter();
    bodies
        .map(|(body, text)| {
            let (bytes, answered) = meter.measure(target, sent(target.operation, text));
            assert!(matches!(answered.status.as_u16(), 200 | 400 | 413), "{body}: {}", answered.status);
            Growth { body, bytes }
        })
        .collect()
}

/// Measures creating each of the largest assets. For an edit operation, measures replacing each asset with
/// its own body, and editing a large member.
fn measure_large_assets(meter: &Meter, target: &Target, family: Family) -> Vec<Growth> {
    let create = match family {
        Family::Campaign => operation("POST /v2/scenarios/campaigns"),
        Family::Event => operation("POST /v2/scenarios/events"),
    };
    let create = meter.target(create);
    let room = room_of(target.operation);
    let mut measured = Vec::new();
    for (asset, text) in largest_assets(family) {
        let (bytes, created) = meter.measure(&create, text.clone());
        assert_eq!(created.status, StatusCode::OK, "{asset}");
        if !target.operation.takes_an_asset_id() {
            measured.push(Growth { body: format!("an asset full of {asset}"), bytes });
            continue;
        }
        let edit = meter.edit(target.operation, &created);
        for (body, text) in large_edits(family, room).into_iter().chain([("its own body", text)]) {
            let (bytes, edited) = meter.measure(&edit, text);
            let body = format!("an asset full of {asset}, edited with {body}: {}", edited.status);
            assert!(matches!(edited.status.as_u16(), 200 | 413), "{body}");
            measured.push(Growth { body, bytes });
        }
    }
    let text = too_large_an_asset(family, room.bytes);
    let (bytes, answered) = meter.measure(target, sent(target.operation, text));
    if target.operation.is_batch() {
        assert_eq!(answered.data()[0]["status"], 413, "{}", answered.text());
    } else {
        assert_eq!(answered.error(), (413, "PAYLOAD_TOO_LARGE".to_owned()));
    }
    measured.push(Growth { body: "an asset with one long text".to_owned(), bytes });
    measured
}

/// Returns the limits for an asset in a request body. For a batch, subtracts the size of the rest of the
/// batch.
fn room_of(operation: &Operation) -> Room {
    let rest = if operation.is_batch() { 200 } else { 0 };
    Room { bytes: operation.product.max_body_bytes() - rest, values: MAX_VALUES - rest }
}

/// Returns the request body for an asset. A batch contains one operation, which creates the asset with a new
/// idempotency key.
fn sent(operation: &Operation, asset: Vec<u8>) -> Vec<u8> {
    if !operation.is_batch() {
        return asset;
    }
    static KEYS: AtomicUsize = AtomicUsize::new(0);
    let key = KEYS.fetch_add(1, Ordering::Relaxed);
    let create = format!(r#"{{"operations":[{{"operation":"create","idempotency_key":"key-{key}","body":"#);
    [create.as_bytes(), &asset, b"}]}"].concat()
}

/// Returns an error's code. A 400 from inventory search has a different format and counts as
/// `VALIDATION_ERROR`.
fn code(answer: &Answer) -> String {
    if answer.json()["error"]["type"] == "invalid_request" {
        return "VALIDATION_ERROR".to_owned();
    }
    answer.error().1
}
