//! A page of results is compressed to fit Lambda's limit, or refused with advice that works.

use std::sync::Arc;

use accounting::Product;
use axum::Router;
use builder::{PackError, write_folder};
use dataset::inventory::{InventoryWriter, Record};
use dataset::{Figures, FileEntry, Geographies, Manifest, RecordSource};
use harness::{Answer, TestOrg, World, price, sample_release};
use inventory::Release;
use serde_json::{Value, json};
use store::escaped_len;

use super::{assert_refused, call, records, results, total};

/// What Lambda returns at most, counted as the text in a text that it is handed.
const LAMBDA_RESPONSE_BYTES: usize = 6_000_000;

async fn page(world: &World, org: &TestOrg, size: usize, fields: &Value, coding: &str) -> Answer {
    let body = json!({ "fieldSet": fields, "pagination": { "page_size": size } });
    call(world, org, &body).header("accept-encoding", coding).send().await
}

#[tokio::test]
async fn every_record_in_one_page_fits_when_it_is_compressed() {
    let (world, org) = World::with_org().await;
    let answer = page(&world, &org, 10_000, &json!([]), "gzip").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, "gzip"));
    let found = answer.json();
    assert_eq!(total(&found), records().len());
    assert!(results(&found) == records());
    assert!(answer.sent_bytes.div_ceil(3) * 4 < LAMBDA_RESPONSE_BYTES / 4, "{} bytes", answer.sent_bytes);
}

/// Makes a release of so many spots that a page of them all is too large, and starts the function on it.
fn router_of_many(world: &World) -> Router {
    let path = std::env::temp_dir().join(format!("marquee-inventory-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    let folder = write_folder(&path, |out| {
        let geographies = Geographies::open(sample_release()).expect("the sample's geographies");
        let mut writer = InventoryWriter::default();
        let source = RecordSource { name: "a test".to_owned(), vintage: "2026-07-01".to_owned() };
        for id in 1..=10_000 {
            let mut record = records()[0].clone();
            record["spot_id"] = json!(id);
            let record = serde_json::from_value::<Record<'static>>(record).expect("a record");
            writer.push(&record, &source);
        }
        let rows = writer.write(out, &geographies)?.into_iter();
        let files =
            rows.map(|(part, rows)| (part, FileEntry::of(out, part, rows).expect("what was just written")));
        let about = sample_release().manifest().provenance(Figures::Inventory).expect("the sample says it");
        let about = [(Figures::Inventory, about.clone())].into();
        Ok::<_, PackError>(Manifest::new("many", files.collect(), about, Vec::new()))
    });
    let release = Release::open(&folder.expect("a release")).expect("an inventory");
    // What is mapped stays, whatever becomes of its name.
    std::fs::remove_dir_all(path).expect("a folder of ours");
    inventory::router(&world.app, Arc::new(release))
}

#[tokio::test]
async fn a_page_that_does_not_fit_is_refused_with_the_ways_out_each_of_which_leads_out() {
    let (world, org) = World::with_org().await;
    let router = router_of_many(&world);
    let ask = async |size: usize, fields: Value, coding: &str| {
        let body = json!({ "fieldSet": fields, "pagination": { "page_size": size } });
        call(&world, &org, &body).header("accept-encoding", coding).send_to(router.clone()).await
    };
    let refused = ask(10_000, json!([]), "identity").await;
    let words = "/pagination/page_size a page of 10000 of these records is larger than an answer may be; ask for fewer, name \
                 the fields that you need in fieldSet, or send Accept-Encoding: gzip";
    assert_refused(&refused, &[("invalid_pagination", words)], "all at once");
    let price = price(Product::InventorySearch);
    assert_eq!((refused.credits_used(), refused.header("content-encoding")), (price, ""));
    let ways_out = [
        (1_000, json!([]), "identity"),
        (10_000, json!(["id", "media_name", "location.geometry"]), "identity"),
        (10_000, json!([]), "gzip"),
    ];
    for (size, fields, coding) in ways_out {
        let answer = ask(size, fields, coding).await;
        assert_eq!(answer.status, 200, "{size} {coding}");
        assert_eq!(results(&answer.json()).len(), size, "{coding}");
        let handed_on = match answer.header("content-encoding") {
            "gzip" => answer.sent_bytes.div_ceil(3) * 4,
            _ => escaped_len(&answer.body),
        };
        assert!(handed_on < LAMBDA_RESPONSE_BYTES, "{size} {coding}: {handed_on} bytes");
    }
}

#[tokio::test]
async fn both_forms_of_an_answer_say_the_same() {
    let (world, org) = World::with_org().await;
    let compressed = page(&world, &org, 100, &json!([]), "br, gzip;q=0.5").await;
    let plain = page(&world, &org, 100, &json!([]), "gzip;q=0").await;
    assert_eq!((compressed.header("content-encoding"), plain.header("content-encoding")), ("gzip", ""));
    assert_eq!(compressed.json()["results"], plain.json()["results"]);
    assert!(
        compressed.sent_bytes * 5 < plain.sent_bytes,
        "{} of {}",
        compressed.sent_bytes,
        plain.sent_bytes
    );
    for answer in [&compressed, &plain] {
        assert_eq!(answer.header("vary"), "accept, accept-encoding");
        assert_eq!(answer.header("etag"), "");
    }
}
