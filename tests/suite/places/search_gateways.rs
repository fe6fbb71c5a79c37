//! Place search on the main API and on the search gateway, which use different key headers.
use accounting::Product;
use harness::{Answer, World, price};
use serde_json::json;

use super::{SEARCH, total};

/// The path of place search on the search gateway.
const GATEWAY: &str = "/msearch";

type Headers<'a> = &'a [(&'a str, &'a str)];

async fn call(world: &World, path: &str, headers: Headers<'_>) -> Answer {
    let body = json!({ "filter": { "city": "San Francisco" } });
    let call = headers.iter().fold(world.post(path), |call, (name, value)| call.header(name, value));
    call.json(&body).send().await
}

#[tokio::test]
async fn both_gateways_return_the_same_results_with_their_own_header() {
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
async fn inventory_search_on_the_main_api_returns_404_with_a_hint() {
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
        let message = error["message"].as_str().expect("a string");
        for words in ["search gateway", "POST /msearch/inventory", "the `apikey` header"] {
            assert!(message.contains(words), "{message}");
        }
        assert_eq!(answer.credits_used(), 0);
    }
    assert_eq!(world.account(&org).await.totals.used, 0);
}
