//! One product behind two doors: each takes keys by its own header and charges the same price.

use accounting::{Audience, Product, Scope, Scopes};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use gateway::{App, Caller, Reply, Routes, Terms};
use harness::{Answer, World, price};
use http::Request;
use tower::ServiceExt;

const MAIN: &str = "/v2/msearch";
const SEARCH: &str = "/msearch";

/// One product at two doors: the main surface's, and the search gateway's.
fn routes(app: &App) -> Routes<App> {
    let terms = Terms::of(Product::PlaceSearch);
    Routes::new(app).post(MAIN, terms, found).post(SEARCH, terms.with_search_key(), found)
}

async fn found(State(_): State<App>, caller: Option<Caller>) -> Reply<Option<String>> {
    Reply::new(caller.map(|caller| caller.org().to_string()))
}

async fn call(world: &World, path: &str, headers: &[(&str, &str)]) -> Answer {
    let router: Router = routes(&world.app).into_router(world.app.clone());
    let mut request = Request::post(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let address = gateway::ClientAddress("203.0.113.9".parse().expect("an address"));
    let request = request.extension(address).body(Body::empty()).expect("a request");
    Answer::read(router.oneshot(request).await.expect("routers do not fail")).await
}

#[tokio::test]
async fn a_route_shows_at_which_door_it_is() {
    let world = World::new().await;
    let routes = routes(&world.app);
    let doors: Vec<_> =
        routes.operations().iter().map(|operation| (operation.path, operation.terms.audience)).collect();
    assert_eq!(doors, [(MAIN, Audience::Anyone), (SEARCH, Audience::SearchKey)]);
    assert!(routes.operations().iter().all(|operation| operation.terms.product == Product::PlaceSearch));
}

#[tokio::test]
async fn a_key_goes_through_each_door_by_its_own_header_and_pays_the_same_there() {
    let (world, org) = World::with_org().await;
    for (path, header) in [(MAIN, "x-api-key"), (SEARCH, "apikey")] {
        let answer = call(&world, path, &[(header, &org.key)]).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert_eq!(answer.json()["data"], "org_a");
        assert_eq!(answer.json()["meta"]["product"], "place_search");
        assert_eq!(answer.credits_used(), price(Product::PlaceSearch));
    }
    assert_eq!(world.account(&org).await.totals.used, 2 * price(Product::PlaceSearch));
}

#[tokio::test]
async fn the_search_gateway_lets_in_nobody_without_a_key_and_names_its_own_header() {
    let (world, org) = World::with_org().await;
    let bearer = format!("Bearer {}", world.bearer(&org).await);
    let key_as_bearer = format!("Bearer {}", org.key);
    let cases: [(&[(&str, &str)], u16); 6] = [
        (&[], 401),
        (&[("x-api-key", &org.key)], 401),
        (&[("apikey", "nonsense")], 401),
        (&[("authorization", &key_as_bearer)], 401),
        (&[("authorization", &bearer)], 403),
        (&[("authorization", &bearer), ("apikey", &org.key)], 400),
    ];
    for (headers, status) in cases {
        let answer = call(&world, SEARCH, headers).await;
        assert_eq!(answer.status, status, "{headers:?}: {answer:?}");
        let message = answer.json()["error"]["message"].to_string();
        assert!(!message.contains("X-API-Key"), "{headers:?}: {message}");
        if status == 401 {
            assert_eq!(answer.header("www-authenticate"), "ApiKey header=\"apikey\"", "{headers:?}");
        }
    }
    let misplaced = call(&world, MAIN, &[("apikey", &org.key)]).await;
    assert_eq!(misplaced.status, 401);
    assert!(misplaced.json()["error"]["message"].to_string().contains("`X-API-Key`"));
    assert_eq!(misplaced.header("www-authenticate"), "ApiKey header=\"X-API-Key\", Bearer");
    assert_eq!(call(&world, MAIN, &[]).await.status, 200, "an anonymous session");
}

#[tokio::test]
async fn a_key_needs_the_products_scope_at_both_doors() {
    let (world, org) = World::with_org().await;
    let other = world.key(&org.id, [Scope::Inventory].into_iter().collect::<Scopes>()).await;
    for (path, header) in [(MAIN, "x-api-key"), (SEARCH, "apikey")] {
        let answer = call(&world, path, &[(header, &other)]).await;
        assert_eq!(answer.status, 403, "{path}");
        assert!(answer.json()["error"]["message"].to_string().contains("`analytics`"), "{path}: {answer:?}");
    }
}
