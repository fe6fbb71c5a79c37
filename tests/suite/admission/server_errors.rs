//! Refunds of failed calls: server errors are refunded, client errors aren't.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use accounting::{Credits, Product, Tier};
use axum::Router;
use axum::body::Body;
use gateway::{ApiError, App, ClientAddress, Code, NoContent, Routes};
use harness::{Answer, TestOrg, World, WorldOptions, price};
use http::{Method, Request, StatusCode};
use tower::ServiceExt;

use super::assert_whole;

/// The initial credits of an organization and of a new session, which cover all calls in these tests.
const CREDITS: Credits = 100;

/// Returns a router whose handlers succeed, fail, panic, or never return.
fn routes(app: &App) -> Router {
    Routes::new(app)
        .get("/fine", Product::PlaceSearch, fine)
        .post("/fine", Product::PlaceSearch, fine)
        .get("/panics", Product::PlaceSearch, panics)
        .post("/panics", Product::PopulationAtHome, panics)
        .get("/fails", Product::PlaceSearch, fails)
        .post("/fails", Product::PopulationAtHome, fails)
        .get("/answers-502", Product::PlaceSearch, answers_502)
        .get("/hangs", Product::PlaceSearch, hangs)
        .post("/hangs", Product::PopulationAtHome, hangs)
        .get("/refuses", Product::PopulationAtHome, refuses)
        .get("/free", Product::CohortSearch, fine)
        .get("/free-panics", Product::CohortSearch, panics)
        .get("/free-refuses", Product::CohortSearch, refuses)
        .into_router(())
}

async fn fine() -> NoContent {
    NoContent
}

async fn panics() -> NoContent {
    panic!("panic in the handler, with a secret")
}

async fn fails() -> ApiError {
    ApiError::internal()
}

async fn answers_502() -> (StatusCode, &'static str) {
    (StatusCode::BAD_GATEWAY, "raw body")
}

async fn hangs() -> NoContent {
    std::future::pending().await
}

async fn refuses() -> ApiError {
    ApiError::new(Code::NotFound, "the item was not found")
}

async fn world() -> World {
    World::with(WorldOptions { handler_deadline: Duration::from_millis(200), ..WorldOptions::default() })
        .await
}

#[tokio::test]
async fn server_error_is_refunded() {
    let world = world().await;
    let org = world.org_with("org_a", Tier::Enterprise, CREDITS).await;
    let router = routes(&world.app);
    let cases = [
        (Method::GET, "/panics", 500, "INTERNAL_ERROR"),
        (Method::POST, "/panics", 500, "INTERNAL_ERROR"),
        (Method::GET, "/fails", 500, "INTERNAL_ERROR"),
        (Method::POST, "/fails", 500, "INTERNAL_ERROR"),
        (Method::GET, "/hangs", 503, "SERVICE_UNAVAILABLE"),
        (Method::POST, "/hangs", 503, "SERVICE_UNAVAILABLE"),
    ];
    for (calls, (method, path, status, code)) in (1..).zip(cases) {
        let answer = call(&router, method.clone(), path, Some(&org)).await;
        assert_eq!(answer.error(), (status, code.to_owned()), "{method} {path}");
        assert_eq!(answer.number("x-credits-used"), 0, "{method} {path}");
        assert_eq!(answer.credits_remaining(), CREDITS, "{method} {path}");
        assert_eq!(answer.header("retry-after").is_empty(), status == 500, "{method} {path}");
        assert!(!answer.text().contains("secret"), "{}", answer.text());
        let account = world.account(&org).await;
        assert_eq!(
            (account.left(), account.totals.used, account.window.calls),
            (CREDITS, 0, calls),
            "{method} {path}"
        );
        assert_eq!(account.today.usage.values().map(|line| line.credits).sum::<i64>(), 0);
        assert_whole(&account);
    }
    let raw = call(&router, Method::GET, "/answers-502", Some(&org)).await;
    assert_eq!((raw.status.as_u16(), raw.number("x-credits-used")), (502, 0));
    assert_eq!(world.account(&org).await.left(), CREDITS);
}

#[tokio::test]
async fn success_and_client_error_are_not_refunded() {
    let world = world().await;
    let org = world.org_with("org_a", Tier::Enterprise, CREDITS).await;
    let router = routes(&world.app);
    let mut left = CREDITS;
    for (path, status, product) in
        [("/fine", 204, Product::PlaceSearch), ("/refuses", 404, Product::PopulationAtHome)]
    {
        let answer = call(&router, Method::GET, path, Some(&org)).await;
        assert_eq!((answer.status.as_u16(), answer.credits_used()), (status, price(product)), "{path}");
        left -= price(product);
        assert_eq!(world.account(&org).await.left(), left, "{path}");
    }
}

#[tokio::test]
async fn rejected_call_does_not_run_a_writing_handler() {
    let world = world().await;
    let org = world.org_with("org_a", Tier::Enterprise, 0).await;
    let router = routes(&world.app);
    // With a safe method, the handler runs concurrently with the charge, and its response is discarded.
    for method in [Method::GET, Method::POST] {
        for path in ["/panics", "/hangs", "/fine"] {
            let answer = call(&router, method.clone(), path, Some(&org)).await;
            assert_eq!(answer.error(), (402, "QUOTA_EXCEEDED".to_owned()), "{method} {path}");
        }
    }
    let ran = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = ran.clone();
    let handler = move || async move {
        seen.store(true, std::sync::atomic::Ordering::SeqCst);
        NoContent
    };
    let router = Routes::new(&world.app).post("/writes", Product::PlaceSearch, handler).into_router(());
    assert_eq!(call(&router, Method::POST, "/writes", Some(&org)).await.status, 402);
    assert!(!ran.load(std::sync::atomic::Ordering::SeqCst));
}

#[tokio::test]
async fn forwarded_address_headers_are_ignored() {
    let world = world().await;
    let router = routes(&world.app);
    for (count, forwarded) in (1..).zip(["198.51.100.1", "198.51.100.2", "198.51.100.3"]) {
        let request =
            Request::get("/fine").header("x-forwarded-for", forwarded).header("forwarded", forwarded);
        let answer = send(&router, request.body(Body::empty()).expect("valid request")).await;
        assert_eq!(answer.credits_remaining(), CREDITS - count * price(Product::PlaceSearch));
    }
}

async fn call(router: &Router, method: Method, path: &str, org: Option<&TestOrg>) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(org) = org {
        request = request.header("x-api-key", &org.key);
    }
    send(router, request.body(Body::empty()).expect("valid request")).await
}

/// Sends a request without checking the response, because these routes aren't in openapi.yaml.
async fn send(router: &Router, mut request: Request<Body>) -> Answer {
    request.extensions_mut().insert(ClientAddress(IpAddr::V4(Ipv4Addr::new(203, 0, 113, 9))));
    Answer::read(router.clone().oneshot(request).await.expect("infallible")).await
}
