//! Access to the MCP server.

use harness::World;
use http::Method;
use serde_json::{Value, json};

use super::Mcp;

fn list_of_tools() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })
}

#[tokio::test]
async fn accepts_an_api_key_in_either_header() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let bearer = format!("Bearer {}", org.key);
    for header in [("x-api-key", org.key.as_str()), ("authorization", bearer.as_str())] {
        let answer = mcp.send(Method::POST, &[header], &list_of_tools()).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/json"));
        assert_eq!(answer.json()["result"]["tools"][0]["name"], "search_inventory");
    }
}

#[tokio::test]
async fn returns_401_without_an_api_key() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let token = format!("Bearer {}", world.owner_token(&org).await);
    let as_basic = format!("Basic {}", org.key);
    for headers in [
        &[][..],
        &[("x-api-key", "")],
        &[("x-api-key", "mq_live_0")],
        &[("authorization", token.as_str())],
        &[("authorization", as_basic.as_str())],
    ] {
        let answer = mcp.send(Method::POST, headers, &list_of_tools()).await;
        assert_eq!(answer.status, 401, "{headers:?}: {}", answer.text());
        assert_eq!(answer.header("www-authenticate"), "ApiKey header=\"X-API-Key\", Bearer");
        let message = answer.json()["error"]["message"].take();
        assert!(message.as_str().expect("a message").starts_with("send an API key"), "{message}");
    }
}

#[tokio::test]
async fn unknown_key_is_rejected_by_the_api() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let unknown = format!("mq_live_{}", "0".repeat(64));
    let result = mcp.call(&unknown, "read_credits", json!({})).await;
    assert_eq!(result["structuredContent"]["error"]["code"], "UNAUTHORIZED", "{result}");
    assert_eq!(mcp.called(&org.key, "read_credits", json!({})).await["meta"]["credits_used"], 0);
}

#[tokio::test]
async fn rejects_web_pages() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    for origin in ["https://agent.example", "http://127.0.0.1:3000", "null"] {
        let headers = [("x-api-key", org.key.as_str()), ("origin", origin)];
        let answer = mcp.send(Method::POST, &headers, &list_of_tools()).await;
        assert_eq!(answer.status, 403, "{origin}: {}", answer.text());
    }
}

#[tokio::test]
async fn returns_405_for_methods_of_sessions() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    for method in [Method::GET, Method::DELETE] {
        for headers in [&[("x-api-key", org.key.as_str())][..], &[]] {
            let answer = mcp.send(method.clone(), headers, &Value::Null).await;
            assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "POST"));
        }
    }
}
