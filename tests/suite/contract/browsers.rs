//! CORS: only pages from the portal's origin and from listed origins can call the service from a browser and
//! read its responses.

use harness::{Answer, PUBLIC_URL, World, WorldOptions};
use http::Method;

const APP: &str = "https://app.example.com";
const PATHS: [&str; 4] =
    ["/v2/health", "/v2/billing/credits", "/v2/scenarios/campaigns", "/v2/scenarios/events/summary"];

/// The portal calls this path on the search gateway for inventory searches.
const ON_SEARCH_GATEWAY: &str = "/msearch/inventory";

/// The request headers that pages from listed origins may send.
const SENDABLE: [&str; 6] =
    ["authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "x-session-token"];

async fn world() -> World {
    let portal_origins = [APP, "https://staging.example.com:8443", PUBLIC_URL].map(str::to_owned).to_vec();
    World::with(WorldOptions { portal_origins, ..WorldOptions::default() }).await
}

fn allowed_origin(answer: &Answer) -> &str {
    answer.header("access-control-allow-origin")
}

#[tokio::test]
async fn preflight_allows_only_listed_origins() {
    let world = world().await;
    for path in PATHS.into_iter().chain([ON_SEARCH_GATEWAY]) {
        for (origin, allowed) in [
            (APP, true),
            ("https://staging.example.com:8443", true),
            ("https://evil.example", false),
            ("https://app.example.com.evil.example", false),
            ("http://app.example.com", false),
            ("https://APP.example.com", false),
            ("null", false),
        ] {
            let answer = world
                .call(Method::OPTIONS, path)
                .header("origin", origin)
                .header("access-control-request-method", "PATCH")
                .header("access-control-request-headers", &SENDABLE.join(","))
                .send()
                .await;
            assert!(answer.status.is_success(), "{path} {origin}");
            assert_eq!(allowed_origin(&answer), if allowed { origin } else { "" }, "{path}");
            let methods = answer.header("access-control-allow-methods");
            for method in ["GET", "POST", "PATCH", "DELETE"] {
                assert!(methods.contains(method), "{methods}");
            }
            assert_eq!(answer.header("access-control-allow-headers"), SENDABLE.join(","));
        }
    }
}

#[tokio::test]
async fn only_the_portal_may_send_api_keys() {
    let world = world().await;
    for path in PATHS.into_iter().chain([ON_SEARCH_GATEWAY]) {
        for (origin, may_send_keys) in [(APP, false), (PUBLIC_URL, true), ("https://evil.example", false)] {
            let call = world.call(Method::OPTIONS, path).header("origin", origin);
            let answer = call.header("access-control-request-method", "GET").send().await;
            let headers: Vec<_> = answer.header("access-control-allow-headers").split(',').collect();
            for header in ["x-api-key", "apikey"] {
                assert_eq!(headers.contains(&header), may_send_keys, "{path} {origin}: {headers:?}");
            }
        }
    }
}

#[tokio::test]
async fn no_origin_is_allowed_unless_configured() {
    let world = World::new().await;
    for path in PATHS {
        let request = world.call(Method::OPTIONS, path).header("origin", APP);
        let answer = request.header("access-control-request-method", "GET").send().await;
        assert_eq!(allowed_origin(&answer), "", "{path}");
        assert_eq!(answer.error(), (405, "METHOD_NOT_ALLOWED".to_owned()), "{path}");
        let answer = world.call(Method::HEAD, path).header("origin", APP).send().await;
        assert_eq!(allowed_origin(&answer), "", "{path}");
    }
}

#[tokio::test]
async fn only_listed_origins_can_read_responses_and_errors() {
    let world = world().await;
    let org = world.org("org_a").await;
    for (path, key, status) in [
        ("/v2/health", org.key.as_str(), 200),
        ("/v2/billing/credits", &org.key, 200),
        ("/v2/billing/credits", "nonsense", 401),
        ("/v2/nothing", &org.key, 404),
    ] {
        for (origin, shown) in [(APP, APP), ("https://evil.example", "")] {
            // HEAD returns the same headers as GET. openapi.yaml doesn't document CORS headers, so its
            // responses aren't checked.
            let answer = world.call(Method::HEAD, path).key(key).header("origin", origin).send().await;
            assert_eq!(answer.status, status, "{path}");
            assert_eq!(allowed_origin(&answer), shown, "{path}");
            // The Lambda adapter forwards only the first `Vary` header, so there must be only one.
            assert_eq!(answer.headers.get_all("vary").iter().count(), 1, "{path}");
            let vary = answer.header("vary").to_lowercase();
            assert!(
                vary.contains("origin") && vary.contains("accept,") && vary.contains("accept-encoding"),
                "caches must distinguish the variants: {path} {vary}"
            );
            let exposed = answer.header("access-control-expose-headers");
            assert!(exposed.contains("x-request-id") && exposed.contains("retry-after"), "{exposed}");
            assert_eq!(answer.header("access-control-allow-credentials"), "", "credentials are not allowed");
        }
    }
}
