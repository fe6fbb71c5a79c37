//! `HEAD` requests are accepted for free `GET` operations, and rejected for paid ones.

use std::collections::BTreeMap;

use harness::{Answer, OPERATIONS, Operation, World, price, samples};
use http::Method;

/// Response headers that may differ between two calls in the same minute.
const PER_CALL_HEADERS: [&str; 3] = ["x-request-id", "x-ratelimit-remaining", "ratelimit"];

fn is_free(operation: &&Operation) -> bool {
    operation.method == Method::GET && price(operation.product) == 0
}

fn is_priced(operation: &&Operation) -> bool {
    operation.method == Method::GET && price(operation.product) > 0
}

fn lasting_headers(answer: &Answer) -> BTreeMap<&str, &[u8]> {
    let headers = answer.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
    headers.filter(|(name, _)| !PER_CALL_HEADERS.contains(name)).collect()
}

#[tokio::test]
async fn free_operations_return_the_headers_of_get() {
    let (world, org) = World::with_org().await;
    let mut heads = 0;
    for operation in OPERATIONS.iter().filter(is_free) {
        let path = operation.path_for(&world, &org, &world.router()).await;
        let (header, value) = operation.credential(&world, &org).await;
        for coding in ["identity", "gzip"] {
            let call = |method| {
                let call = world.call(method, &path).header(header, &value);
                let call = call.header("x-client-link", &samples::client_link_token());
                call.header("accept-encoding", coding)
            };
            let (get, head) = (call(Method::GET).send().await, call(Method::HEAD).send().await);
            let name = operation.name();
            assert_eq!((get.status.as_u16(), get.status), (operation.success(), head.status), "{name}");
            assert!(!get.body.is_empty() && head.body.is_empty(), "{name}");
            let (mut head_headers, mut get_headers) = (lasting_headers(&head), lasting_headers(&get));
            let lengths =
                [&mut head_headers, &mut get_headers].map(|headers| headers.remove("content-length"));
            assert_eq!(head_headers, get_headers, "{name}");
            assert!(lengths.iter().all(Option::is_some), "{name}");
            assert_eq!(get.number("content-length"), get.sent_bytes as i64, "{name}");
            let longer = head.number("content-length") - get.number("content-length");
            // The length of a compressed response varies slightly with the request ID.
            let is_compressed = !get.header("content-encoding").is_empty();
            assert!(
                longer == 0 || is_compressed && longer.abs() <= 32,
                "{name}: the length differs by {longer}"
            );
            heads += 1;
        }
    }
    assert!(heads >= 2 * 8, "{heads}");
}

#[tokio::test]
async fn head_is_counted_like_get() {
    let (world, org) = World::with_org().await;
    for (path, calls) in [("/v2/health", 0), ("/v2/openapi.yaml", 0), ("/v2/billing/credits", 1)] {
        let before = world.account(&org).await;
        world.call(Method::HEAD, path).key(&org.key).send().await;
        let after = world.account(&org).await;
        assert_eq!(after.window.calls - before.window.calls, calls, "{path}");
        assert_eq!(after.totals, before.totals, "{path}");
    }
    let refused = world.call(Method::HEAD, "/v2/billing/credits").send().await;
    assert_eq!(refused.status, 401);
}

#[tokio::test]
async fn head_of_a_paid_operation_returns_405_uncharged_and_uncounted() {
    let (world, org) = World::with_org().await;
    let mut refused = 0;
    for operation in OPERATIONS.iter().filter(is_priced) {
        let (name, path) = (operation.name(), operation.path_for(&world, &org, &world.router()).await);
        let before = world.account(&org).await;
        world.wire.record();
        for key in [org.key.as_str(), "nonsense"] {
            let head = world.call(Method::HEAD, &path).header(operation.key_header(), key).send().await;
            assert_eq!((head.status.as_u16(), head.body.len()), (405, 0), "{name}");
            let allowed: Vec<_> = head.header("allow").split(", ").collect();
            assert!(allowed.contains(&"GET") && !allowed.contains(&"HEAD"), "{name}: {allowed:?}");
            assert_eq!(head.number("x-credits-used"), 0, "{name}");
        }
        assert_eq!(world.wire.take(), [], "{name}");
        let after = world.account(&org).await;
        assert_eq!((after.totals, after.window), (before.totals, before.window), "{name}");
        refused += 1;
    }
    assert!(refused >= 7, "{refused}");
}
