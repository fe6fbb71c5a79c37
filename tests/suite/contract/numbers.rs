//! Integers in request bodies. The service accepts every notation of an integer, as JSON Schema does: `5.0`
//! and `5` are the same number.

use harness::World;
use serde_json::{Value, json};

use super::bodies::{self, Body, pointers};

/// The time between calls, in milliseconds. A key can make 20 inventory searches per minute.
const PACE_MILLIS: i64 = 3_000;

/// Returns the pointer and the value of each integer in a body.
fn integers(body: &Value) -> Vec<(String, i64)> {
    let places = pointers(body).into_iter();
    places
        .filter_map(|pointer| Some((body.pointer(&pointer)?.as_i64()?, pointer)))
        .map(|(a, b)| (b, a))
        .collect()
}

/// Returns a body as JSON text, with the number at `pointer` written as `number`.
fn written(body: &Value, pointer: &str, number: &str) -> String {
    let mut body = body.clone();
    *body.pointer_mut(pointer).expect("a pointer") = json!("HERE");
    body.to_string().replace("\"HERE\"", number)
}

async fn answer(world: &World, body: &Body, text: String) -> harness::Answer {
    world.clock.advance(PACE_MILLIS);
    body.call(world, text).send().await
}

/// Returns a response without the members that differ between identical calls.
fn comparable(answer: &harness::Answer) -> Value {
    let mut comparable = answer.json();
    comparable.as_object_mut().expect("an object").remove("meta");
    let key_members = ["api_key", "key_id", "last_four"];
    let link_members = ["url", "link_id"];
    let other_members = ["asset_id", "grant_id", "tilejson_url", "created_at", "updated_at", "expires_at"];
    for own in key_members.into_iter().chain(link_members).chain(other_members) {
        if let Some(data) = comparable["data"].as_object_mut() {
            data.remove(own);
        }
    }
    comparable
}

#[tokio::test]
async fn integer_is_accepted_in_every_notation_and_returned_as_digits() {
    let (world, org) = World::with_org().await;
    let mut places = 0;
    for body in bodies::all(&world, &org).await {
        let plain = comparable(&answer(&world, &body, body.valid.to_string()).await);
        for (pointer, integer) in integers(&body.valid) {
            places += 1;
            for number in [
                format!("{integer}.0"),
                format!("{integer}.000"),
                format!("{integer}e0"),
                format!("{integer}0e-1"),
                format!("{integer}0E-01"),
            ] {
                let answer = answer(&world, &body, written(&body.valid, &pointer, &number)).await;
                let context = format!("{} {pointer} {number}: {:.300}", body.name(), answer.text());
                assert_eq!(answer.status, body.operation.success(), "{context}");
                // serde_json distinguishes 5 from 5.0, so this also compares the notation.
                assert!(comparable(&answer) == plain, "{context}");
            }
        }
    }
    assert!(places > 20, "{places}");
}

#[tokio::test]
async fn fractions_and_large_integers_in_other_notations_are_rejected() {
    let (world, org) = World::with_org().await;
    let past = "got a number beyond 2^53 with a decimal point or an exponent";
    for body in bodies::all(&world, &org).await {
        let places = integers(&body.valid).into_iter();
        // Skips degrees, which can be fractions.
        for (pointer, integer) in places.filter(|(pointer, _)| !pointer.contains("/geo_")) {
            for (text, words) in [
                (format!("{integer}.5"), format!(", got {integer}.5")),
                (format!("{integer}5e-1"), format!(", got {integer}.5")),
                ("9007199254740994.0".to_owned(), past.to_owned()),
                ("1e18".to_owned(), past.to_owned()),
                ("1e19".to_owned(), ", got 1e19".to_owned()),
            ] {
                let answer = answer(&world, &body, written(&body.valid, &pointer, &text)).await;
                let context = format!("{} {pointer} {text}: {}", body.name(), answer.text());
                assert_eq!(answer.status, 400, "{context}");
                assert!(answer.text().contains(&words), "{context}");
            }
        }
    }
}

#[tokio::test]
async fn stored_integer_keeps_all_its_digits() {
    let (world, org) = World::with_org().await;
    let all = bodies::all(&world, &org).await;
    let body = all.iter().find(|body| body.name() == "create campaign").expect("there is a campaign body");
    for (sent, stored) in [
        ("9007199254740992.0", "9007199254740992"),
        ("9.007199254740992E15", "9007199254740992"),
        ("-9007199254740992.0", "-9007199254740992"),
        ("9007199254740993", "9007199254740993"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("-0.0", "0"),
    ] {
        let text = written(&body.valid, "/spots/0/spot_id", sent);
        let created = answer(&world, body, text).await;
        let path = format!("/v2/scenarios/campaigns/{}", created.data()["asset_id"].as_str().expect("an ID"));
        let found = world.get(&path).key(&org.key).send().await;
        for answer in [created, found] {
            let expected = format!("\"spot_id\":{stored},");
            assert!(answer.text().contains(&expected), "{sent}: {}", answer.text());
        }
    }
}
