//! Unknown paths and unsupported methods return errors in the standard envelope, and are free.

use std::collections::{BTreeMap, BTreeSet};

use harness::{Answer, OPERATIONS, World, price};
use http::Method;

#[tokio::test]
async fn unknown_path_returns_404_with_the_envelope() {
    let (world, org) = World::with_org().await;
    let paths = "/portalx /v2 /v2/ /v1/health /health /v2/health/ /v2/health/more /v2//health /v2/Health \
                 /v2/billing /v2/billing/credits/ /v2/openapi.json /v2/scenarios /v2/scenarios/ \
                 /v2/scenarios/campaignsx /v2/scenarios/campaigns/ /v2/scenarios/campaigns/a/b \
                 /v2/scenarios/events/a/b/c /v2/%2e%2e/health /v2/scenarios/campaigns%2Fsummary /favicon.ico";
    for path in paths.split(' ') {
        for call in
            [world.get(path), world.get(path).key(&org.key), world.delete(path), world.post(path).key("x")]
        {
            let answer = call.send().await;
            assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{path}");
            assert_envelope(&answer);
        }
    }
    let account = world.account(&org).await;
    assert_eq!((account.totals.used, account.window.calls), (0, 0));
}

#[tokio::test]
async fn unsupported_method_returns_405_with_the_allowed_methods() {
    let (world, org) = World::with_org().await;
    let mut methods_by_path: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for operation in OPERATIONS.iter() {
        let supported = methods_by_path.entry(operation.path_of_unknown_ids()).or_default();
        supported.insert(operation.method.as_str());
        if operation.method == Method::GET && price(operation.product) == 0 {
            supported.insert("HEAD");
        }
    }
    for (path, supported) in &methods_by_path {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"] {
            if supported.contains(method) {
                continue;
            }
            let method: Method = method.parse().expect("valid method");
            let answer = world.call(method.clone(), path).key(&org.key).send().await;
            if method == Method::HEAD {
                assert_eq!((answer.status.as_u16(), answer.body.len()), (405, 0), "{method} {path}");
            } else {
                assert_eq!(answer.error(), (405, "METHOD_NOT_ALLOWED".to_owned()), "{method} {path}");
                assert_envelope(&answer);
            }
            let allowed = answer.header("allow").split(", ");
            assert_eq!(allowed.collect::<BTreeSet<_>>(), *supported, "{method} {path}");
        }
    }
    let account = world.account(&org).await;
    assert_eq!((account.totals.used, account.window.calls), (0, 0));
}

#[tokio::test]
async fn head_error_has_no_body() {
    let world = World::new().await;
    for (path, status) in
        [("/v2/nothing", 404), ("/v2/billing/credits", 401), ("/v2/scenarios/campaigns", 405)]
    {
        let answer = world.call(Method::HEAD, path).send().await;
        assert_eq!((answer.status.as_u16(), answer.text()), (status, String::new()), "{path}");
    }
}

#[track_caller]
fn assert_envelope(answer: &Answer) {
    let error = answer.json()["error"].take();
    let code = error["code"].as_str().expect("a string");
    assert_eq!(error["product"], "platform");
    assert_eq!(error["status"], answer.status.as_u16());
    assert_eq!(error["request_id"], answer.header("x-request-id"));
    let anchor = code.to_lowercase().replace('_', "-");
    assert_eq!(error["docs_url"], format!("https://docs.marquee.example/v2/errors#{anchor}"));
    assert_eq!(answer.number("x-credits-used"), 0);
    for name in ["x-credits-remaining", "x-ratelimit-limit", "ratelimit", "ratelimit-policy"] {
        assert_eq!(answer.header(name), "", "an unidentified caller gets no such header");
    }
}
