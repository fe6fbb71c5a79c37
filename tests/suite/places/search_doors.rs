//! Place search is the same behind both doors, and each door admits only its own callers.
use accounting::{Product, Scope, Scopes};
use harness::{Answer, World, price};
use serde_json::json;

use super::{SEARCH, total};

/// The same search on the search gateway.
const GATEWAY: &str = "/msearch";

type Headers<'a> = &'a [(&'a str, &'a str)];

async fn call(world: &World, path: &str, headers: Headers<'_>) -> Answer {
    let body = json!({ "filter": { "city": "San Francisco" } });
    let call = headers.iter().fold(world.post(path), |call, (name, value)| call.header(name, value));
    call.json(&body).send().await
}

#[tokio::test]
async fn the_same_search_is_behind_both_doors_each_with_its_own_header() {
    let (world, org) = World::with_org().await;
    let main = call(&world, SEARCH, &[("x-api-key", &org.key)]).await;
    let gateway = call(&world, GATEWAY, &[("apikey", &org.key)]).await;
    assert_eq!((main.status.as_u16(), gateway.status.as_u16()), (200, 200), "{}", gateway.text());
    assert_eq!(main.data(), gateway.data());
    assert!(total(&main.data()) > 200);
    for answer in [&main, &gateway] {
        assert_eq!(answer.credits_used(), price(Product::PlaceSearch));
        assert_eq!(answer.json()["meta"]["product"], "place_search");
    }
    assert_eq!(world.account(&org).await.totals.used, 2 * price(Product::PlaceSearch));
}

#[tokio::test]
async fn each_door_lets_in_whom_it_is_for() {
    let (world, org) = World::with_org().await;
    let bearer = format!("Bearer {}", world.bearer(&org).await);
    let key_as_bearer = format!("Bearer {}", org.key);
    let (key, nonsense) = (org.key.as_str(), "nonsense");
    let other = world.key(&org.id, [Scope::Inventory].into_iter().collect::<Scopes>()).await;
    let cases: [(&str, Headers<'_>, u16, &str); 14] = [
        (SEARCH, &[("x-api-key", key)], 200, ""),
        (SEARCH, &[("authorization", &bearer)], 200, ""),
        (SEARCH, &[("apikey", key)], 401, "UNAUTHORIZED"),
        (SEARCH, &[("x-api-key", nonsense)], 401, "UNAUTHORIZED"),
        (SEARCH, &[("authorization", "Bearer nonsense")], 401, "UNAUTHORIZED"),
        (SEARCH, &[("x-api-key", &other)], 403, "FORBIDDEN"),
        (GATEWAY, &[("apikey", key)], 200, ""),
        (GATEWAY, &[], 401, "UNAUTHORIZED"),
        (GATEWAY, &[("x-api-key", key)], 401, "UNAUTHORIZED"),
        (GATEWAY, &[("apikey", nonsense)], 401, "UNAUTHORIZED"),
        (GATEWAY, &[("authorization", &key_as_bearer)], 401, "UNAUTHORIZED"),
        (GATEWAY, &[("authorization", "Bearer nonsense")], 401, "UNAUTHORIZED"),
        // A token that is right, at a door that takes none.
        (GATEWAY, &[("authorization", &bearer)], 403, "FORBIDDEN"),
        (GATEWAY, &[("apikey", &other)], 403, "FORBIDDEN"),
    ];
    for (path, headers, status, code) in cases {
        let answer = call(&world, path, headers).await;
        assert_eq!(answer.status, status, "{path} {headers:?}: {}", answer.text());
        if status != 200 {
            assert_eq!(answer.error().1, code, "{path} {headers:?}");
            assert_eq!(answer.number("x-credits-used"), 0, "{path} {headers:?}");
        }
    }
    assert_eq!(world.account(&org).await.totals.used, 3 * price(Product::PlaceSearch));
}

#[tokio::test]
async fn the_search_gateway_refuses_what_the_main_door_refuses() {
    let (world, org) = World::with_org().await;
    let body = json!({ "filter": { "state": 6 } });
    let answer = world.post(GATEWAY).header("apikey", &org.key).json(&body).send().await;
    answer.assert_invalid(&[("/filter/state", "is an integer")], "at the gateway");
    assert_eq!(answer.credits_used(), price(Product::PlaceSearch));
}

#[tokio::test]
async fn inventory_search_at_the_main_door_is_404_with_the_way_to_the_search_gateway() {
    let (world, org) = World::with_org().await;
    let path = "/v2/msearch/inventory";
    for call in [
        world.post(path).key(&org.key).json(&json!({ "filter": {} })),
        world.post(path).header("apikey", &org.key).json(&json!({})),
        world.post(path).bytes("text/plain", "nonsense"),
        world.get(path),
    ] {
        let answer = call.send().await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{}", answer.text());
        let error = &answer.json()["error"];
        assert_eq!(error["product"], "platform");
        let message = error["message"].as_str().expect("a text");
        for words in ["search gateway", "POST /msearch/inventory", "the header `apikey`"] {
            assert!(message.contains(words), "{message}");
        }
        assert_eq!(answer.credits_used(), 0);
    }
    assert_eq!(world.account(&org).await.totals.used, 0);
}
