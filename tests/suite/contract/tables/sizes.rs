//! Page sizes: each table's largest page either stays within Lambda's response limit, or is rejected with
//! advice on how to reduce it.

use axum::Router;
use harness::{Answer, TestOrg, World, samples, synthesized_release};
use marquee::serve::Releases;
use serde_json::{Value, json};
use store::{MAX_ESCAPED_BYTES, escaped_len};

use super::{A_MINUTE, CSV, GEO_JSON, JSON, TableCall, read_csv};

/// Lambda's limit on the encoded body of a response, in bytes.
const LAMBDA_RESPONSE_BYTES: usize = 6_000_000;

/// Returns the size of the body as Lambda receives it: base64 if the body is compressed, or else escaped JSON
/// text.
fn encoded_bytes(answer: &Answer) -> usize {
    if answer.header("content-encoding").is_empty() {
        escaped_len(&answer.body)
    } else {
        answer.sent_bytes.div_ceil(3) * 4
    }
}

/// Requests a page with and without compression, asserts the sizes of both responses, and returns them.
async fn page(world: &World, org: &TestOrg, call: &TableCall, accept: &str) -> [Answer; 2] {
    page_of_process(world, org, call, accept, &world.router()).await
}

async fn page_of_process(
    world: &World,
    org: &TestOrg,
    call: &TableCall,
    accept: &str,
    process: &Router,
) -> [Answer; 2] {
    let mut answers = Vec::new();
    for coding in ["identity", "gzip"] {
        world.clock.advance(A_MINUTE);
        let request = call.call(world, org, accept).header("accept-encoding", coding);
        let answer = request.send_to(process.clone()).await;
        let bytes = encoded_bytes(&answer);
        assert!(bytes < LAMBDA_RESPONSE_BYTES, "{} {coding}: {bytes}", call.operation.name());
        answers.push(answer);
    }
    answers.try_into().expect("there are two responses")
}

/// Asserts that a rejection advises how to reduce the page.
#[track_caller]
fn assert_refused(answer: &Answer, words: &str) {
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (400, "application/json"));
    assert!(answer.text().contains(words), "{}", answer.text());
    assert!(answer.header("content-disposition").is_empty() && answer.header("x-total-count").is_empty());
}

fn pagination(size: usize) -> Value {
    json!({ "page": 1, "page_size": size })
}

#[tokio::test]
async fn page_of_ten_thousand_places_fits_or_is_rejected_with_advice() {
    let (world, org) = World::with_org().await;
    let search = |fields: Value| {
        let body = json!({ "pagination": pagination(10_000), "fieldSet": fields });
        TableCall::post("POST /v2/msearch", body)
    };
    let [plain, compressed] = page(&world, &org, &search(json!(null)), CSV).await;
    for answer in [&plain, &compressed] {
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(read_csv(&answer.body).len(), 10_001);
    }
    let [plain, compressed] = page(&world, &org, &search(json!(null)), GEO_JSON).await;
    assert_refused(
        &plain,
        "a page with 10000 of these places exceeds the response size limit; lower page_size",
    );
    assert_eq!(compressed.json()["features"].as_array().map(Vec::len), Some(10_000));
    let paths = json!(["place_id", "place_name", "location"]);
    let [plain, _] = page(&world, &org, &search(paths), GEO_JSON).await;
    assert_eq!(plain.status, 200, "{}", plain.text());
}

#[tokio::test]
async fn page_of_ten_thousand_displays_fits_or_is_rejected_with_advice() {
    let (world, org) = World::with_org().await;
    // The sample release has fewer than 10,000 displays.
    let releases = Releases::open(&synthesized_release(20_000)).expect("the release is complete");
    let process = world.process_without_the_wire(1, &releases).await;
    for accept in [JSON, CSV, GEO_JSON] {
        let ask = async |size: usize, fields: Value| {
            let body = json!({ "pagination": pagination(size), "fieldSet": fields });
            let call = TableCall::post("POST /msearch/inventory", body);
            page_of_process(&world, &org, &call, accept, &process).await
        };
        let [plain, compressed] = ask(10_000, json!(null)).await;
        assert_refused(&plain, "lower page_size, select fields with fieldSet");
        assert_eq!(compressed.status, 200, "{}", compressed.text());
        let narrow = json!(["id", "media_name", "location.dma_name", "location.geometry"]);
        let [plain, compressed] = ask(10_000, narrow).await;
        assert_eq!(plain.status, 200, "{}", plain.text());
        assert_eq!(ask(1_000, json!(null)).await[0].status, 200, "{accept}");
        assert!(accept == JSON || plain.number("x-total-count") >= 10_000);
        assert_eq!(plain.header("x-total-count"), compressed.header("x-total-count"));
    }
}

#[tokio::test]
async fn page_of_ten_thousand_areas_fits() {
    let (world, org) = World::with_org().await;
    let segment = samples::segment("hispanic");
    let body =
        json!({ "service_segment_id": segment, "geography_type": ["ZIP"], "pagination": pagination(10_000) });
    let call = TableCall::post("POST /v2/measures/population/at_home", body);
    for answer in page(&world, &org, &call, CSV).await {
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(read_csv(&answer.body).len(), 10_001);
    }
}

#[tokio::test]
async fn page_of_a_hundred_markets_fits() {
    let (world, org) = World::with_org().await;
    let call = TableCall::get("GET /v2/markets", "?geography_type=ZIP&limit=100");
    for answer in page(&world, &org, &call, CSV).await {
        assert_eq!(read_csv(&answer.body).len(), 101);
    }
}

/// Returns a campaign with as many quotation marks as possible. CSV doubles each of them.
fn full_of_quotation_marks() -> Value {
    let mut campaign = samples::campaign();
    let marks = MAX_ESCAPED_BYTES / 4 - 2_000;
    campaign["spots"][0]["customer_spot_id"] = json!("\"".repeat(marks));
    campaign
}

#[tokio::test]
async fn page_of_assets_fits_or_is_rejected_with_advice() {
    let (world, org) = World::with_org().await;
    for _ in 0..3 {
        let created = world.post("/v2/scenarios/campaigns").key(&org.key).json(&full_of_quotation_marks());
        assert_eq!(created.send().await.status, 200);
    }
    let list = |query| TableCall::get("GET /v2/scenarios/campaigns", query);
    let [plain, compressed] = page(&world, &org, &list("?limit=3"), CSV).await;
    assert_refused(
        &plain,
        "use a smaller `limit`, select members with `fields`, or send `Accept-Encoding: gzip`",
    );
    assert_eq!(compressed.status, 200, "{}", compressed.text());
    let [plain, _] = page(&world, &org, &list("?limit=3&fields=asset_id,campaign,customer"), CSV).await;
    assert_eq!((plain.status.as_u16(), plain.header("x-total-count")), (200, "3"));
    assert!(plain.header("link").contains("rel=\"next\""), "large bodies end a page early");
}
