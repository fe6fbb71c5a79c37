//! Property tests that send arbitrary bytes in every part of a request.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use harness::{Answer, Call, samples};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{assert_no_fault, check, families};

/// Generates arbitrary bytes, arbitrary text, and characters that have a special meaning for parsers.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => vec(any::<u8>(), 0..64),
        3 => any::<String>().prop_map(String::into_bytes),
        2 => "[-_.~A-Za-z0-9*\"/+=,; #%&{}\\\\]{0,80}".prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 3_000..3_001),
    ]
}

fn encoded(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("%{byte:02X}")).collect()
}

/// Adds a header whose value is the prefix followed by the bytes that HTTP allows.
fn with_header<'a>(call: Call<'a>, name: &str, prefix: &str, bytes: &[u8]) -> Call<'a> {
    let allowed = bytes.iter().filter(|byte| **byte == b'\t' || (**byte >= b' ' && **byte != 0x7f)).copied();
    let value: Vec<u8> = prefix.bytes().chain(allowed).collect();
    call.header_bytes(name, &value)
}

fn assert_refused(answer: &Answer, statuses: &[u16], context: &[u8]) {
    assert!(statuses.contains(&answer.status.as_u16()), "{context:?} gave {}", answer.text());
}

#[test]
fn any_query_bytes_are_accepted_or_refused() {
    check(300, (families(), bytes()), async |world, org, (family, bytes)| {
        let library = samples::library(family);
        let text = encoded(&bytes);
        for name in ["cursor", "limit", "state"] {
            let answer = world.get(&format!("{library}?{name}={text}")).key(&org.key).send().await;
            assert_no_fault(&answer, &bytes);
            if name != "limit" {
                assert_refused(&answer, &[400], &bytes);
            }
        }
        let cursor = URL_SAFE_NO_PAD.encode(&bytes);
        let answer = world.get(&format!("{library}?cursor={cursor}")).key(&org.key).send().await;
        assert_refused(&answer, &[400], &bytes);
        let named = world.get(&format!("{library}?{text}=1&{text}")).key(&org.key).send().await;
        assert_no_fault(&named, &bytes);
    });
}

#[test]
fn any_other_asset_id_returns_404() {
    check(200, (families(), bytes()), async |world, org, (family, bytes)| {
        let path = format!("{}/{}", samples::library(family), encoded(&bytes));
        let patch = || world.patch(&path).bytes("application/json", "{}");
        for call in [world.get(&path), patch(), world.delete(&path)] {
            assert_refused(&call.key(&org.key).send().await, &[404], &bytes);
        }
    });
}

#[test]
fn any_other_credentials_return_401() {
    check(200, (families(), bytes(), 0..4_usize), async |world, _, (family, bytes, prefix)| {
        let library = samples::library(family);
        let key_prefix = ["", "mq_live_", "mq_", " "][prefix];
        let refused = with_header(world.get(library), "x-api-key", key_prefix, &bytes).send().await;
        assert_refused(&refused, &[401], &bytes);
        let token_prefix = ["", "Bearer ", "bearer ", "Bearer e30."][prefix];
        let refused = with_header(world.get(library), "authorization", token_prefix, &bytes).send().await;
        assert_refused(&refused, &[401], &bytes);
        let both = with_header(world.get(library), "authorization", token_prefix, &bytes);
        assert_refused(&with_header(both, "x-api-key", key_prefix, &bytes).send().await, &[400], &bytes);
    });
}

#[test]
fn any_altered_token_or_key_returns_401() {
    let change = (families(), any::<proptest::sample::Index>(), any::<u8>());
    check(300, change, async |world, org, (family, place, byte)| {
        let token = world.bearer(org).await;
        let replaced = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            let byte = if byte.is_ascii_graphic() { byte } else { b'x' };
            let place = place.index(bytes.len());
            let differs = bytes[place] != byte;
            bytes[place] = byte;
            differs.then_some(bytes)
        };
        let library = samples::library(family);
        for (name, prefix, secret) in [("authorization", "Bearer ", &token), ("x-api-key", "", &org.key)] {
            let Some(bytes) = replaced(secret) else {
                continue;
            };
            let answer = with_header(world.get(library), name, prefix, &bytes).send().await;
            assert_refused(&answer, &[401], &bytes);
        }
    });
}

#[test]
fn any_if_match_or_content_type_is_accepted_or_refused() {
    check(200, (families(), bytes()), async |world, org, (family, bytes)| {
        let path = world.draft(org, family).await;
        let patch = world.patch(&path).key(&org.key).bytes("application/json", "{}");
        assert_refused(&with_header(patch, "if-match", "", &bytes).send().await, &[200, 400, 412], &bytes);
        let delete = with_header(world.delete(&path).key(&org.key), "if-match", "\"", &bytes);
        assert_refused(&delete.send().await, &[204, 400, 412], &bytes);
        let post =
            with_header(world.post(samples::library(family)).key(&org.key), "content-type", "", &bytes);
        assert_refused(&post.send().await, &[400, 415], &bytes);
    });
}

#[test]
fn any_body_of_random_bytes_returns_400() {
    check(300, (families(), bytes()), async |world, org, (family, bytes)| {
        let path = world.draft(org, family).await;
        for call in [world.post(samples::library(family)), world.patch(&path)] {
            let answer = call.key(&org.key).bytes("application/json", bytes.clone()).send().await;
            assert_refused(&answer, &[400], &bytes);
        }
    });
}
