//! Malformed report requests are refused, with each bad id named at its place.
use accounting::Product;
use harness::{World, price, samples};
use serde_json::{Value, json};

use super::{REPORT, ask};

#[tokio::test]
async fn refuses_each_wrong_list_and_each_wrong_id_at_its_place() {
    let (world, org) = World::with_org().await;
    let known = samples::place().raw();
    let list = "/place_id";
    let mut cases: Vec<(Value, &str, &str)> = vec![
        (json!(null), list, "is required"),
        (json!([]), list, "must have 1 to 1000 items, has 0"),
        (json!(vec![known; 1_001]), list, "must have 1 to 1000 items, has 1001"),
        (json!((1..=10_000).collect::<Vec<u64>>()), list, "must have 1 to 1000 items, has 10000"),
        (json!(known), list, "must be an array, is an integer"),
        (json!(known.to_string()), list, "must be an array, is a string"),
        (json!({}), list, "must be an array, is an object"),
    ];
    let form = "must be an integer or its decimal digits as a string";
    let positive = "must be a place id from 1 to 999999999999";
    for (item, words) in [
        (json!(null), form),
        (json!(true), form),
        (json!(1.5), form),
        (json!(0.0), positive),
        (json!(1e300), form),
        (json!({}), form),
        (json!([known]), form),
        (json!(""), form),
        (json!("abc"), form),
        (json!("+1"), form),
        (json!("-1"), form),
        (json!("1 "), form),
        (json!("1.0"), form),
        (json!("٣"), form),
        (json!("9".repeat(30)), form),
        (json!(u64::MAX), form),
        (json!(0), positive),
        (json!("0"), positive),
        (json!(-1), positive),
        (json!(i64::MIN), positive),
    ] {
        cases.push((json!([known, item]), "/place_id/1", words));
    }
    for (value, pointer, words) in cases {
        let context = format!("{:.60}", value.to_string());
        let answer = ask(&world, &org, REPORT, &json!({ "place_id": value })).await;
        answer.assert_invalid(&[(pointer, words)], &context);
        assert!(answer.body.len() < 3_000, "{context}");
        assert_eq!(answer.credits_used(), price(Product::PlaceReport), "{context}");
    }
}

#[tokio::test]
async fn refuses_other_bodies() {
    let (world, org) = World::with_org().await;
    let known = samples::place().raw();
    let unknown = "is not a member here; allowed are place_id, by_place";
    let cases: [(Value, &[(&str, &str)]); 7] = [
        (json!({}), &[("/place_id", "is required")]),
        (json!({ "place_ids": [known] }), &[("/place_ids", unknown), ("/place_id", "is required")]),
        (json!({ "place_id": [known], "date": "2026-01-01" }), &[("/date", unknown)]),
        (
            json!({ "place_id": [0, "a", known], "x": 1 }),
            &[("/place_id/0", "is 0"), ("/place_id/1", ""), ("/x", unknown)],
        ),
        (json!([known]), &[("", "must be an object, is an array")]),
        (json!(null), &[("", "must be an object, is null")]),
        (json!(known), &[("", "must be an object, is an integer")]),
    ];
    for (body, expected) in cases {
        ask(&world, &org, REPORT, &body).await.assert_invalid(expected, &body.to_string());
    }
    for body in ["", "{", "{\"place_id\":[1],\"place_id\":[2]}"] {
        let answer = world.post(REPORT).key(&org.key).bytes("application/json", body).send().await;
        assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()), "{body}");
    }
    let plain = world.post(REPORT).key(&org.key).bytes("text/plain", "{}").send().await;
    assert_eq!(plain.status, 415);
}
