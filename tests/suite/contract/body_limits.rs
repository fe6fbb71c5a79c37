//! How much a body may hold. What hostile bodies cost in memory is measured in `tests/memory`.
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

/// How far apart the calls are, in milliseconds: inventory search takes 20 a minute of one key.
const PACE_MILLIS: i64 = 3_000;

/// How large the pieces are in which an endless body comes.
const PIECE_BYTES: usize = 10_000;

fn assert_too_large(answer: &Answer, most: usize, context: &str) {
    assert_eq!(answer.error(), (413, "PAYLOAD_TOO_LARGE".to_owned()), "{context}");
    assert!(answer.text().contains(&format!("larger than the {most} bytes")), "{}", answer.text());
}

#[tokio::test]
async fn each_operation_takes_as_many_bytes_as_its_product_and_none_more() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        let most = body.operation.product.max_body_bytes();
        let valid = body.valid.to_string();
        for (bytes, is_taken) in [(most, true), (most + 1, false)] {
            world.clock.advance(PACE_MILLIS);
            let text = valid.clone() + &" ".repeat(bytes - valid.len());
            let answer = body.call(&world, text).send().await;
            if is_taken {
                assert_eq!(answer.status, body.operation.success(), "{}", body.name());
            } else {
                assert_too_large(&answer, most, &body.name());
            }
            assert_eq!(answer.credits_used(), price(body.operation.product), "{}", body.name());
        }
    }
}

#[tokio::test]
async fn a_body_that_says_it_is_too_large_is_not_read() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        world.clock.advance(PACE_MILLIS);
        let most = body.operation.product.max_body_bytes();
        let unread = stream::poll_fn(|_| -> std::task::Poll<Option<Result<Bytes, Infallible>>> {
            panic!("a body that is too large is read")
        });
        let call = body.call_of(&world, Body::from_stream(unread));
        let answer = call.header("content-length", &(most + 1).to_string()).send().await;
        assert_too_large(&answer, most, &body.name());
    }
}

#[tokio::test]
async fn a_body_that_never_ends_is_read_as_far_as_it_may_go() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        let most = body.operation.product.max_body_bytes();
        // What a client says of the length binds nobody.
        for said in ["", "2"] {
            world.clock.advance(PACE_MILLIS);
            let read = Arc::new(AtomicUsize::new(0));
            let counter = Arc::clone(&read);
            let endless = stream::repeat(Bytes::from_static(&[b' '; PIECE_BYTES])).map(move |piece| {
                counter.fetch_add(piece.len(), Ordering::SeqCst);
                Ok::<_, Infallible>(piece)
            });
            let call = body.call_of(&world, Body::from_stream(endless));
            let answer = call.header("content-length", said).send().await;
            assert_too_large(&answer, most, &body.name());
            let read = read.load(Ordering::SeqCst);
            assert!((most..=most + PIECE_BYTES).contains(&read), "{}: {read} bytes", body.name());
        }
    }
}

#[tokio::test]
async fn a_body_is_16_deep_at_most() {
    let (world, org) = World::with_org().await;
    for body in bodies::all(&world, &org).await {
        for (depth, words) in [(16, "/x is an unknown member"), (17, "nested deeper than 16 levels")] {
            world.clock.advance(PACE_MILLIS);
            // The object of the body is one of them.
            let text = format!("{{\"x\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
            let answer = body.call(&world, text).send().await;
            assert_eq!(answer.status, 400, "{}", body.name());
            assert!(answer.text().contains(words), "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn a_body_has_250_000_values_at_most() {
    let (world, org) = World::with_org().await;
    for family in [Family::Campaign, Family::Event] {
        for (values, words) in [
            (250_000, "/x is an unknown member"),
            (250_001, "exceeds a limit: there are more than 250000 values at line 1 column "),
        ] {
            // The object of the body and the array are two of them.
            let text = format!("{{\"x\":[{}0]}}", "0,".repeat(values - 3));
            let call = world.post(samples::library(family)).key(&org.key).bytes("application/json", text);
            let answer = call.send().await;
            assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()));
            assert!(answer.text().contains(words), "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn a_compressed_body_is_no_json_and_is_unpacked_by_nobody() {
    let (world, org) = World::with_org().await;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&b"[".repeat(8 * 1024 * 1024)).expect("memory is compressed into memory");
    let compressed = encoder.finish().expect("memory is compressed into memory");
    for body in bodies::all(&world, &org).await {
        world.clock.advance(PACE_MILLIS);
        let call = body.call_of(&world, compressed.clone()).header("content-encoding", "gzip");
        let answer = call.send().await;
        assert_eq!(answer.status, 400, "{}", body.name());
        assert!(answer.text().contains("is not valid JSON"), "{}", answer.text());
    }
}
