use harness::{Answer, TestOrg, World};
use serde_json::{Value, json};
use shared::dynamo::escaped_len;

use super::{assert_refused, call, records, results, total};

/// What Lambda returns at most, counted as the text in a text that it is handed.
const LAMBDA_RESPONSE_BYTES: usize = 6_000_000;

async fn page(world: &World, org: &TestOrg, size: usize, fields: &Value, coding: &str) -> Answer {
    let body = json!({ "fieldSet": fields, "pagination": { "page_size": size } });
    call(world, org, &body).header("accept-encoding", coding).send().await
}

#[tokio::test]
async fn every_record_in_one_page_fits_when_it_is_compressed() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let answer = page(&world, &org, 10_000, &json!([]), "gzip").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, "gzip"));
    let found = answer.json();
    assert_eq!(total(&found), records().len());
    assert!(results(&found) == records());
    println!("{} records: {} bytes, {} compressed", records().len(), answer.body.len(), answer.sent_bytes);
    assert!(answer.sent_bytes.div_ceil(3) * 4 < LAMBDA_RESPONSE_BYTES / 4, "{} bytes", answer.sent_bytes);
}

#[tokio::test]
async fn a_page_that_does_not_fit_is_refused_with_the_ways_out_and_charged() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let whole = page(&world, &org, 1, &json!([]), "identity").await;
    let all = page(&world, &org, 10_000, &json!([]), "identity").await;
    if all.status == 200 {
        assert!(escaped_len(&all.body) < LAMBDA_RESPONSE_BYTES);
    } else {
        let words = "/pagination/page_size a page of 10000 of these records is larger than an answer may be";
        assert_refused(&all, &[("invalid_pagination", words)], "all at once");
        for way_out in ["fieldSet", "gzip"] {
            assert!(all.text().contains(way_out), "{}", all.text());
        }
    }
    assert_eq!(whole.number("x-credits-used"), 1);
    assert_eq!(all.number("x-credits-used"), 1);
    for (size, fields) in [(1_000, json!([])), (10_000, json!(["id", "media_name", "location.geometry"]))] {
        let answer = page(&world, &org, size, &fields, "identity").await;
        assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, ""), "{size} {fields}");
        assert!(escaped_len(&answer.body) < LAMBDA_RESPONSE_BYTES);
    }
}

#[tokio::test]
async fn both_forms_of_an_answer_say_the_same() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let compressed = page(&world, &org, 100, &json!([]), "br, gzip;q=0.5").await;
    let plain = page(&world, &org, 100, &json!([]), "gzip;q=0").await;
    assert_eq!((compressed.header("content-encoding"), plain.header("content-encoding")), ("gzip", ""));
    assert_eq!(compressed.json()["results"], plain.json()["results"]);
    assert!(compressed.sent_bytes * 5 < plain.sent_bytes, "{} of {}", compressed.sent_bytes, plain.sent_bytes);
    for answer in [&compressed, &plain] {
        assert_eq!(answer.header("vary"), "accept-encoding");
        assert_eq!(answer.header("etag"), "");
    }
}
