//! Malformed place searches are refused with every violation at its place, and are still charged.
use accounting::Product;
use harness::{World, price};
use serde_json::{Value, json};

use super::{SEARCH, ask};

#[tokio::test]
async fn refuses_each_wrong_value_of_a_filter_at_its_place() {
    let (world, org) = World::with_org().await;
    let text = [
        (json!(1), "must be a string, is an integer"),
        (json!(1.5), "must be a string, is a number"),
        (json!(true), "must be a string, is a boolean"),
        (json!(["San Francisco"]), "must be a string, is an array"),
        (json!([]), "must be a string, is an array"),
        (json!({}), "must be a string, is an object"),
    ];
    let mut cases: Vec<(&str, Value, String, &str)> = Vec::new();
    let members = [
        "place_name",
        "place_type_name",
        "city",
        "state",
        "zip_code",
        "dma_name",
        "county_name",
        "brand",
        "address",
    ];
    for member in members {
        for (value, words) in &text {
            cases.push((member, value.clone(), format!("/filter/{member}"), words));
        }
        for blank in ["", " ", "\t\n", "\u{a0}", "\u{301}"] {
            cases.push((member, json!(blank), format!("/filter/{member}"), "must not be blank"));
        }
        let words = "must have at most 200 characters, has 201";
        cases.push((member, json!("a".repeat(201)), format!("/filter/{member}"), words));
    }
    for member in ["place_ids", "place_type_ids"] {
        let pointer = format!("/filter/{member}");
        for (value, words) in [
            (json!([]), "must have 1 to 1000 items, has 0"),
            (json!(vec![1; 1_001]), "must have 1 to 1000 items, has 1001"),
            (json!(vec![1; 10_000]), "must have 1 to 1000 items, has 10000"),
            (json!(1), "must be an array, is an integer"),
            (json!("1"), "must be an array, is a string"),
            (json!({}), "must be an array, is an object"),
        ] {
            cases.push((member, value, pointer.clone(), words));
        }
        for (item, words) in [
            (json!(null), "must be an integer or its decimal digits as a string, is null"),
            (json!(1.5), "must be an integer or its decimal digits"),
            (json!(true), "must be an integer or its decimal digits"),
            (json!([1]), "must be an integer or its decimal digits"),
            (json!(""), "must be an integer or its decimal digits"),
            (json!("abc"), "must be an integer or its decimal digits"),
            (json!("+1"), "must be an integer or its decimal digits"),
            (json!("-1"), "must be an integer or its decimal digits"),
            (json!(" 1"), "must be an integer or its decimal digits"),
            (json!("1e3"), "must be an integer or its decimal digits"),
            (json!("٣"), "must be an integer or its decimal digits"),
            (json!("9".repeat(40)), "must be an integer or its decimal digits"),
            (json!(u64::MAX), "must be an integer or its decimal digits"),
            (json!(-1), " id from "),
        ] {
            cases.push((member, json!([1, item]), format!("{pointer}/1"), words));
        }
    }
    cases.push((
        "place_ids",
        json!([0]),
        "/filter/place_ids/0".to_owned(),
        "must be a place id from 1 to 999999999999, is 0",
    ));
    let type_words = "must be a place type id from 0 to 4294967295";
    cases.push(("place_type_ids", json!([1_u64 << 32]), "/filter/place_type_ids/0".to_owned(), type_words));
    for (member, value, pointer, words) in cases {
        let context = format!("{member} = {:.60}", value.to_string());
        let answer = ask(&world, &org, SEARCH, &json!({ "filter": { member: value } })).await;
        answer.assert_invalid(&[(&pointer, words)], &context);
        assert!(answer.body.len() < 3_000, "{context}");
    }
}

#[tokio::test]
async fn refuses_each_wrong_value_of_page_and_order_at_its_place() {
    let (world, org) = World::with_org().await;
    let fields = "must be one of place_name, place_id, place_type_name, street_address, city, state, zip_code, dma_name, \
                  county_name, cbsa_name, weekly_visits, distance, is ";
    let cases = [
        (json!({ "filter": [] }), "/filter", "must be an object, is an array"),
        (json!({ "filter": "starbucks" }), "/filter", "must be an object, is a string"),
        (json!({ "pagination": 1 }), "/pagination", "must be an object, is an integer"),
        (json!({ "pagination": { "page": 0 } }), "/pagination/page", "must be at least 1, is 0"),
        (json!({ "pagination": { "page": -1 } }), "/pagination/page", "must be at least 1, is -1"),
        (
            json!({ "pagination": { "page": "1" } }),
            "/pagination/page",
            "must be a 64-bit integer, is a string",
        ),
        (json!({ "pagination": { "page": 1.5 } }), "/pagination/page", "must be a 64-bit integer"),
        (
            json!({ "pagination": { "page": [1] } }),
            "/pagination/page",
            "must be a 64-bit integer, is an array",
        ),
        (
            json!({ "pagination": { "page_size": 0 } }),
            "/pagination/page_size",
            "must be from 1 to 10000, is 0",
        ),
        (
            json!({ "pagination": { "page_size": 10_001 } }),
            "/pagination/page_size",
            "from 1 to 10000, is 10001",
        ),
        (json!({ "pagination": { "page_size": "50" } }), "/pagination/page_size", "must be a 64-bit integer"),
        (json!({ "sort": "city" }), "/sort", "must be an object, is a string"),
        (json!({ "sort": [] }), "/sort", "must be an object, is an array"),
        (json!({ "sort": { "active": "visits" } }), "/sort/active", fields),
        (json!({ "sort": { "active": "City" } }), "/sort/active", fields),
        (json!({ "sort": { "active": "" } }), "/sort/active", fields),
        (json!({ "sort": { "active": ["city"] } }), "/sort/active", "must be a string, is an array"),
        (json!({ "sort": { "direction": "up" } }), "/sort/direction", "must be asc or desc, is up"),
        (json!({ "sort": { "direction": "ASC" } }), "/sort/direction", "must be asc or desc, is ASC"),
        (json!({ "sort": { "direction": 1 } }), "/sort/direction", "must be a string, is an integer"),
        (json!({ "sort": { "field": "city", "active": "city" } }), "/sort/field", "is not a member here"),
        (json!({ "pagination": { "limit": 5 } }), "/pagination/limit", "allowed are page, page_size"),
        (json!({ "filters": {} }), "/filters", "allowed are filter, fieldSet, pagination, sort"),
        (
            json!({ "filter": { "name": "starbucks" } }),
            "/filter/name",
            "allowed are place_name, place_type_name, city",
        ),
        (json!({ "filter": { "place_id": 1 } }), "/filter/place_id", "is not a member here"),
        (json!({ "filter": { "a/b": null } }), "/filter/a~1b", "is not a member here"),
        (json!({ "place_name": "starbucks" }), "/place_name", "is not a member here"),
    ];
    for (body, pointer, words) in cases {
        ask(&world, &org, SEARCH, &body).await.assert_invalid(&[(pointer, words)], &body.to_string());
    }
}

#[tokio::test]
async fn lists_every_violation_at_once() {
    let (world, org) = World::with_org().await;
    let body = json!({
        "filter": { "city": 1, "state": " ", "place_ids": [], "x": 0 },
        "pagination": { "page": 0, "page_size": 0 },
        "sort": { "active": "x", "direction": "x" },
        "y": 0,
    });
    let expected = [
        ("/filter/city", "a string"),
        ("/filter/place_ids", "has 0"),
        ("/filter/state", "must not be blank"),
        ("/filter/x", "not a member"),
        ("/pagination/page", "is 0"),
        ("/pagination/page_size", "is 0"),
        ("/sort/active", "is x"),
        ("/sort/direction", "is x"),
        ("/y", "not a member"),
    ];
    ask(&world, &org, SEARCH, &body).await.assert_invalid(&expected, "all at once");
}

#[tokio::test]
async fn refuses_a_body_that_is_no_json_object_and_charges_it() {
    let (world, org) = World::with_org().await;
    let bodies = [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("null", "must be an object, is null"),
        ("[]", "must be an object, is an array"),
        ("\"starbucks\"", "must be an object, is a string"),
        ("{\"filter\":{},\"filter\":{}}", "the member filter occurs twice"),
    ];
    for (body, words) in bodies {
        let answer = world.post(SEARCH).key(&org.key).bytes("application/json", body).send().await;
        answer.assert_invalid(&[("", words)], body);
        assert_eq!(answer.credits_used(), price(Product::PlaceSearch), "{body}");
    }
    let plain = world.post(SEARCH).key(&org.key).bytes("text/plain", "{}").send().await;
    assert_eq!(plain.status, 415);
}
