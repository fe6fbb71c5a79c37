//! An integer is one however it is written, in every body: to JSON Schema, `5.0` and `5` are the same number.

use harness::World;
use serde_json::{Value, json};

use super::bodies::{self, Body, pointers};

/// How far apart the calls are, in milliseconds: inventory search takes 20 a minute of one key.
const PACE_MILLIS: i64 = 3_000;

/// Returns the places of the integers of a body, with the integers.
fn integers(body: &Value) -> Vec<(String, i64)> {
    let places = pointers(body).into_iter();
    places
        .filter_map(|pointer| Some((body.pointer(&pointer)?.as_i64()?, pointer)))
        .map(|(a, b)| (b, a))
        .collect()
}

/// Returns a body of which one value is written in another way.
fn written(body: &Value, pointer: &str, number: &str) -> String {
    let mut body = body.clone();
    *body.pointer_mut(pointer).expect("a value") = json!("HERE");
    body.to_string().replace("\"HERE\"", number)
}

async fn answer(world: &World, body: &Body, text: String) -> harness::Answer {
    world.clock.advance(PACE_MILLIS);
    body.call(world, text).send().await
}

/// Returns what is answered of the request itself.
fn said(answer: &harness::Answer) -> Value {
    let mut said = answer.json();
    said.as_object_mut().expect("an object").remove("meta");
    let of_keys = ["api_key", "key_id", "last_four"];
    let of_others = ["asset_id", "grant_id", "tilejson_url", "created_at", "updated_at", "expires_at"];
    for own in of_keys.into_iter().chain(of_others) {
        if let Some(data) = said["data"].as_object_mut() {
            data.remove(own);
        }
    }
    said
}

#[tokio::test]
async fn an_integer_is_taken_in_every_way_of_writing_it_and_comes_back_as_its_digits() {
    let (world, org) = World::with_org().await;
    let mut places = 0;
    for body in bodies::all(&world, &org).await {
        let plain = said(&answer(&world, &body, body.valid.to_string()).await);
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
                // serde_json tells 5 from 5.0.
                assert!(said(&answer) == plain, "{context}");
            }
        }
    }
    assert!(places > 20, "{places}");
}

#[tokio::test]
async fn a_fraction_is_no_integer_and_past_2_53_digits_alone_are_one() {
    let (world, org) = World::with_org().await;
    let past = "got a number beyond 2^53 with a decimal point or an exponent";
    for body in bodies::all(&world, &org).await {
        let places = integers(&body.valid).into_iter();
        // Degrees are any numbers.
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
async fn a_stored_integer_has_all_its_digits() {
    let (world, org) = World::with_org().await;
    let all = bodies::all(&world, &org).await;
    let body = all.iter().find(|body| body.name() == "create campaign").expect("a campaign");
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
        let path = format!("/v2/scenarios/campaigns/{}", created.data()["asset_id"].as_str().expect("an id"));
        let found = world.get(&path).key(&org.key).send().await;
        for answer in [created, found] {
            let expected = format!("\"spot_id\":{stored},");
            assert!(answer.text().contains(&expected), "{sent}: {}", answer.text());
        }
    }
}
