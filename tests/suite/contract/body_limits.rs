//! Limits on the size, nesting depth, and number of values of request bodies. `tests/memory` measures the
//! memory that hostile bodies use.

use std::convert::Infallible;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::{StreamExt, stream};
use harness::{Answer, World, price, samples};
use store::Family;

use super::bodies;

/// The time between calls, in milliseconds. A key can make 20 inventory searches per minute.
const PACE_MILLIS: i64 = 3_000;

/// The chunk size of an endless body, in bytes.
const PIECE_BYTES: usize = 10_000;

fn assert_too_large(answer: &Answer, limit: usize, context: &str) {
    assert_eq!(answer.error(), (413, "PAYLOAD_TOO_LARGE".to_owned()), "{context}");
    assert!(answer.text().contains(&format!("limit of {limit} bytes")), "{}", answer.text());
}

#[tokio::test]
async fn each_operation_accepts_bodies_up_to_its_byte_limit() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        let limit = body.operation.product.max_body_bytes();
        let valid = body.valid.to_string();
        for (bytes, is_accepted) in [(limit, true), (limit + 1, false)] {
            world.clock.advance(PACE_MILLIS);
            let text = valid.clone() + &" ".repeat(bytes - valid.len());
            let answer = body.call(&world, text).send().await;
            if is_accepted {
                assert_eq!(answer.status, body.operation.success(), "{}", body.name());
                assert_eq!(answer.credits_used(), price(body.operation.product), "{}", body.name());
            } else {
                assert_too_large(&answer, limit, &body.name());
                assert_eq!(answer.credits_used(), body.operation.price_of_errors(), "{}", body.name());
            }
        }
    }
}

#[tokio::test]
async fn body_with_an_oversized_content_length_is_not_read() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        world.clock.advance(PACE_MILLIS);
        let limit = body.operation.product.max_body_bytes();
        let unread = stream::poll_fn(|_| -> std::task::Poll<Option<Result<Bytes, Infallible>>> {
            panic!("an oversized body is read")
        });
        let call = body.call_of(&world, Body::from_stream(unread));
        let answer = call.header("content-length", &(limit + 1).to_string()).send().await;
        assert_too_large(&answer, limit, &body.name());
    }
}

#[tokio::test]
async fn endless_body_is_read_only_up_to_the_limit() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        let limit = body.operation.product.max_body_bytes();
        // The limit also applies if the content length is empty or too small.
        for length in ["", "2"] {
            world.clock.advance(PACE_MILLIS);
            let read = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&read);
            let endless = stream::repeat(Bytes::from_static(&[b' '; PIECE_BYTES])).map(move |piece| {
                counter.fetch_add(piece.len(), Ordering::SeqCst);
                Ok::<_, Infallible>(piece)
            });
            let call = body.call_of(&world, Body::from_stream(endless));
            let answer = call.header("content-length", length).send().await;
            assert_too_large(&answer, limit, &body.name());
            let read = read.load(Ordering::SeqCst);
            assert!((limit..=limit + PIECE_BYTES).contains(&read), "{}: {read} bytes", body.name());
        }
    }
}

#[tokio::test]
async fn body_nesting_is_limited_to_16_levels() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        for (depth, words) in [(16, "/x is an unknown member"), (17, "nested deeper than 16 levels")] {
            world.clock.advance(PACE_MILLIS);
            // The outermost object is the first level.
            let text = format!("{{\"x\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
            let answer = body.call(&world, text).send().await;
            assert_eq!(answer.status, 400, "{}", body.name());
            assert!(answer.text().contains(words), "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn body_is_limited_to_250_000_values() {
    let (world, org) = World::with_org().await;
    for family in [Family::Campaign, Family::Event] {
        for (values, words) in [
            (250_000, "/x is an unknown member"),
            (250_001, "exceeds a limit: there are more than 250000 values at line 1 column "),
        ] {
            // The outermost object and the array count as values.
            let text = format!("{{\"x\":[{}0]}}", "0,".repeat(values - 3));
            let call = world.post(samples::library(family)).key(&org.key).bytes("application/json", text);
            let answer = call.send().await;
            assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()));
            assert!(answer.text().contains(words), "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn compressed_body_returns_415_with_its_coding() {
    let (world, org) = World::with_org().await;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&b"[".repeat(8 * 1024 * 1024)).expect("compressing in memory succeeds");
    let compressed = encoder.finish().expect("compressing in memory succeeds");
    for body in bodies::all(&world, &org).await {
        world.clock.advance(PACE_MILLIS);
        for coding in ["gzip", "br", "x-unknown", "identity, gzip"] {
            world.clock.advance(PACE_MILLIS);
            let call = body.call_of(&world, compressed.clone()).header("content-encoding", coding);
            let answer = call.send().await;
            assert_eq!(answer.error(), (415, "UNSUPPORTED_MEDIA_TYPE".to_owned()), "{}", body.name());
            assert_eq!(answer.credits_used(), body.operation.price_of_errors(), "{}", body.name());
            let says = answer.json()["error"]["message"].as_str().expect("a message").to_owned();
            assert!(says.contains(&format!("got \"{coding}\"")) && says.contains("uncompressed"), "{says}");
        }
        world.clock.advance(PACE_MILLIS);
        let call = body.call(&world, body.valid.to_string()).header("content-encoding", "Identity");
        assert_eq!(call.send().await.status, body.operation.success(), "{}", body.name());
    }
}
