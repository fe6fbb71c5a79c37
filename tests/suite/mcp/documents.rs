//! The documents that the MCP server offers as resources.

use gateway::replace_example_origins;
use harness::World;
use portal::DOCUMENTS;
use serde_json::json;

use super::Mcp;

#[tokio::test]
async fn resources_are_the_documents_for_customers() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let listed = mcp.request(&org.key, "resources/list", json!({})).await;
    let listed = listed["result"]["resources"].as_array().expect("resources").clone();
    let titles: Vec<_> = listed.iter().map(|resource| resource["title"].as_str().expect("a title")).collect();
    assert_eq!(titles, DOCUMENTS.iter().map(|document| document.title).collect::<Vec<_>>());
    for (resource, document) in listed.iter().zip(DOCUMENTS) {
        let uri = resource["uri"].as_str().expect("an address");
        assert_eq!(uri, format!("{}/portal/docs/{}.md", mcp.origin, document.name));
        let read = mcp.request(&org.key, "resources/read", json!({ "uri": uri })).await;
        let [content] = read["result"]["contents"].as_array().expect("contents").as_slice() else {
            panic!("one content: {read}");
        };
        assert_eq!((&content["mimeType"], &content["uri"]), (&json!("text/markdown"), &json!(uri)));
        assert_eq!(content["text"], replace_example_origins(document.markdown, &mcp.origin, &mcp.origin));
    }
}

#[tokio::test]
async fn other_addresses_are_unknown_documents() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let origin = &mcp.origin;
    for uri in [
        format!("{origin}/portal/docs/nothing.md"),
        format!("{origin}/portal/docs/../../v2/billing/credits.md"),
        format!("{origin}/portal/docs/{}.md", "a".repeat(70_000)),
        format!("{origin}/portal/docs/concepts"),
        format!("{origin}/v2/billing/credits"),
        "https://evil.example/portal/docs/concepts.md".to_owned(),
        "concepts".to_owned(),
    ] {
        let response = mcp.request(&org.key, "resources/read", json!({ "uri": uri })).await;
        let message = response["error"]["message"].as_str().expect("a message");
        assert_eq!(message, "unknown document; resources/list returns all documents", "{uri}");
    }
}
