//! Functions that can't open their release, and later attempts to open it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use accounting::Product;
use axum::Router;
use gateway::{App, router_of_release};
use harness::{Answer, Call, Contract, OPERATIONS, Operation, World, price, sample_release, samples};
use marquee::serve::Function;

/// Returns the router that a function uses until it has opened its release.
fn unready(app: &App, function: Function) -> Option<Router> {
    Some(match function {
        Function::Campaigns => scenarios::campaigns::routes(app).into_unready_router(),
        Function::Events => scenarios::events::routes(app).into_unready_router(),
        Function::Places => places::routes(app).into_unready_router(),
        Function::Audiences => audiences::routes(app).into_unready_router(),
        Function::Estimates => estimates::routes(app).into_unready_router(),
        Function::Inventory => inventory::routes(app).into_unready_router(),
        Function::Tiles => tiles::routes(app).into_unready_router(),
        Function::Account | Function::Portal | Function::Mcp => return None,
    })
}

fn call<'a>(world: &'a World, operation: &'static Operation) -> Call<'a> {
    operation.call(world, &operation.path_of_unknown_ids())
}

#[tokio::test]
async fn every_operation_returns_503_free_of_charge() {
    let (world, org) = World::with_org().await;
    let before = world.account(&org).await;
    let example = &Contract::get().document()["components"]["examples"]["ReleaseNotReady"]["value"]["error"];
    let mut called = 0;
    for operation in OPERATIONS.iter() {
        let Some(router) = unready(&world.app, operation.function) else { continue };
        for key in [org.key.as_str(), "nonsense"] {
            let call = call(&world, operation).header(operation.key_header(), key);
            let answer = call.send_to(router.clone()).await;
            let name = operation.name();
            assert_eq!((answer.header("retry-after"), answer.credits_used()), ("5", 0), "{name}");
            if operation.id == "search_inventory" {
                assert_eq!(
                    (answer.status.as_u16(), &answer.json()["message"]["code"]),
                    (500, &14_001.into())
                );
                assert!(answer.text().contains("data is not ready"), "{}", answer.text());
            } else {
                assert_eq!(answer.error(), (503, "RELEASE_NOT_READY".to_owned()), "{name}");
                assert_eq!(answer.json()["error"]["message"], example["message"], "{name}");
            }
            called += 1;
        }
    }
    assert!(called > 40, "{called}");
    assert_eq!(world.account(&org).await, before);
}

#[tokio::test]
async fn unknown_paths_and_methods_have_their_own_errors() {
    let world = World::new().await;
    let router = places::routes(&world.app).into_unready_router();
    let answer = world.get("/v2/place/nothing").send_to(router.clone()).await;
    assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()));
    let answer = world.delete("/v2/place/types").send_to(router.clone()).await;
    let expected = (405, "METHOD_NOT_ALLOWED".to_owned());
    assert_eq!((answer.error(), answer.header("allow")), (expected, "GET, HEAD"));
    let answer = world.post("/v2/msearch/inventory").send_to(router).await;
    assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()));
}

#[tokio::test]
async fn release_is_opened_again_after_five_seconds() {
    let (world, org) = World::with_org().await;
    let (attempts, is_there) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let counted = attempts.clone();
    let there = is_there.clone();
    let open = move || {
        counted.fetch_add(1, Ordering::SeqCst);
        let opened = there.load(Ordering::SeqCst).then(|| places::Release::open(sample_release()));
        std::future::ready(opened.and_then(Result::ok).ok_or("not there"))
    };
    let unready = places::routes(&world.app).into_unready_router();
    let ready = |app: &App, release| places::router(app, Arc::new(release));
    let router = router_of_release(world.app.clone(), unready, open, ready).await;
    let profile = format!("/v2/place/profiles/{}", samples::place());
    let ask = async || -> Answer { world.get(&profile).key(&org.key).send_to(router.clone()).await };
    // The milliseconds since the last call, whether the release can be opened, the expected status, and the
    // expected number of attempts.
    for (millis, is_openable, status, expected) in [
        (0, false, 503, 1),
        (4_999, true, 503, 1),
        (1, false, 503, 2),
        (4_999, true, 503, 2),
        (1, true, 200, 3),
        // An opened release stays open.
        (60_000, false, 200, 3),
    ] {
        world.clock.advance(millis);
        is_there.store(is_openable, Ordering::SeqCst);
        let answer = ask().await;
        assert_eq!(answer.status, status, "{expected}");
        assert_eq!(answer.credits_used(), if status == 200 { price(Product::PlaceProfile) } else { 0 });
        assert_eq!(attempts.load(Ordering::SeqCst), expected);
    }
}

#[tokio::test]
async fn slow_attempt_opens_the_release_for_later_calls() {
    let (world, org) = World::with_org().await;
    let (attempts, clock) = (AtomicUsize::new(0), world.clock.clone());
    let open = move || {
        let is_first = attempts.fetch_add(1, Ordering::SeqCst) == 0;
        clock.advance(2_000);
        let opened = (!is_first).then(|| places::Release::open(sample_release()));
        std::future::ready(opened.and_then(Result::ok).ok_or("not there"))
    };
    let unready = places::routes(&world.app).into_unready_router();
    let ready = |app: &App, release| places::router(app, Arc::new(release));
    let router = router_of_release(world.app.clone(), unready, open, ready).await;
    world.clock.advance(5_000);
    let profile = format!("/v2/place/profiles/{}", samples::place());
    for status in [503, 200] {
        assert_eq!(world.get(&profile).key(&org.key).send_to(router.clone()).await.status, status);
    }
}
