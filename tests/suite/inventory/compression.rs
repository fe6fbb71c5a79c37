//! Compressed pages of inventory results stay within Lambda's response limit.

use harness::World;
use serde_json::json;

use super::{call, records, results, total};

/// Lambda's limit on the encoded body of a response, in bytes.
const LAMBDA_RESPONSE_BYTES: usize = 6_000_000;

#[tokio::test]
async fn page_with_every_record_fits_when_compressed() {
    let (world, org) = World::with_org().await;
    let body = json!({ "fieldSet": [], "pagination": { "page_size": 10_000 } });
    let answer = call(&world, &org, &body).header("accept-encoding", "gzip").send().await;
    assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, "gzip"));
    let found = answer.json();
    assert_eq!(total(&found), records().len());
    assert!(results(&found) == records());
    assert!(answer.sent_bytes.div_ceil(3) * 4 < LAMBDA_RESPONSE_BYTES / 4, "{} bytes", answer.sent_bytes);
}
