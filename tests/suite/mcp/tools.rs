//! The MCP server's tools.

use std::time::Duration;

use harness::{Contract, OPERATIONS, World, assert_table, samples};
use http::Method;
use mcp::{Definition, Effect, definitions};
use serde_json::{Value, json};
use store::Family;

use super::{Mcp, error_text};

fn definition(name: &str) -> &'static Definition {
    definitions().iter().find(|definition| definition.name == name).expect("a tool")
}

#[test]
fn tools_are_operations_with_their_products() {
    for tool in definitions() {
        let operation = OPERATIONS
            .iter()
            .find(|operation| operation.id == tool.name && !operation.path.contains("/v2/msearch/inventory"))
            .expect("an operation");
        let path = operation.path.strip_prefix("/v2").unwrap_or(operation.path);
        assert_eq!((tool.method.as_str(), tool.path.as_str()), (operation.method.as_str(), path));
        assert_eq!(tool.product(), operation.product, "{}", tool.name);
        assert!(!operation.is_for_people(), "{} must accept API keys", tool.name);
        let reads = operation.method == Method::GET || !operation.id.starts_with("create_");
        match tool.effect {
            Effect::Read => assert!(reads, "{}", tool.name),
            Effect::Add => assert!(tool.name.starts_with("create_"), "{}", tool.name),
            Effect::Change => assert_eq!(operation.method, Method::PATCH),
            Effect::Delete => assert_eq!(operation.method, Method::DELETE),
            Effect::Buy => assert!(tool.name.starts_with("buy_"), "{}", tool.name),
        }
        if [Method::PATCH, Method::DELETE].contains(&operation.method) {
            assert_ne!(tool.effect, Effect::Read, "{}", tool.name);
        }
    }
}

#[tokio::test]
async fn tools_state_their_price_and_effect() {
    let (world, org) = World::with_org().await;
    let listed = Mcp::of(&world).await.request(&org.key, "tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().expect("tools");
    assert_eq!(tools.len(), definitions().len());
    assert!(listed.to_string().len() < 120_000, "{} bytes", listed.to_string().len());
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).expect("a tool");
    for (name, credits, sentence, read_only, destructive) in [
        ("search_places", 1, "The call costs 1 credit.", true, false),
        ("search_cohorts", 0, "The call is free.", true, false),
        ("estimate_campaign", 5, "The call costs 5 credits.", true, false),
        ("create_campaign", 1, "The call costs 1 credit.", false, false),
        ("edit_campaign", 1, "The call costs 1 credit.", false, true),
        ("delete_campaign", 1, "The call costs 1 credit.", false, true),
        ("buy_campaign_measurement", 25, "The purchase costs 25 credits.", false, true),
    ] {
        let tool = tool(name);
        assert_eq!(tool["_meta"]["credits"], credits, "{name}");
        assert!(tool["description"].as_str().expect("a description").contains(sentence), "{tool}");
        let hints = &tool["annotations"];
        assert_eq!(
            (&hints["readOnlyHint"], &hints["destructiveHint"]),
            (&json!(read_only), &json!(destructive))
        );
    }
    for name in ["delete_campaign", "buy_campaign_measurement"] {
        let required = tool(name)["inputSchema"]["required"].as_array().expect("required arguments");
        assert!(required.contains(&json!("asset_id")), "{name}");
    }
}

#[tokio::test]
async fn document_lists_the_tools() {
    let (world, org) = World::with_org().await;
    let listed = Mcp::of(&world).await.request(&org.key, "tools/list", json!({})).await;
    let rows = listed["result"]["tools"].as_array().expect("tools").iter().map(|tool| {
        let name = tool["name"].as_str().expect("a name");
        let effect = match definition(name).effect {
            Effect::Read => "reads",
            Effect::Add => "creates",
            Effect::Change => "changes",
            Effect::Delete => "deletes",
            Effect::Buy => "buys",
        };
        let title = tool["title"].as_str().expect("a title");
        format!("| `{name}` | {title} | {} | {effect} |\n", tool["_meta"]["credits"])
    });
    let table: String = rows.collect();
    let table = format!("| Tool | Purpose | Credits | Effect |\n|---|---|---|---|\n{table}");
    assert_table("docs/how-to/agents.md", "## Tools", &table);
}

#[tokio::test]
async fn contract_examples_are_valid_arguments() {
    let (world, org) = World::with_org().await;
    let listed = Mcp::of(&world).await.request(&org.key, "tools/list", json!({})).await;
    for tool in listed["result"]["tools"].as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        let schema = jsonschema::validator_for(&tool["inputSchema"]).expect("a schema");
        assert!(!schema.is_valid(&json!({ "unheard_of": 1 })), "{name}");
        let Some(example) = Contract::get().request_example(name) else { continue };
        let mut arguments = example.clone();
        if tool["inputSchema"]["properties"].get("idempotency_key").is_some() {
            arguments["idempotency_key"] = json!("plan-1");
        }
        if definition(name).path.contains("{asset_id}") {
            arguments["asset_id"] = json!("01990000-0000-7000-8000-000000000000");
        }
        let faults: Vec<_> = schema.iter_errors(&arguments).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, [""; 0], "{name}");
    }
}

#[tokio::test]
async fn call_is_answered_and_charged_by_the_api() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let before = world.account(&org).await.totals.used;
    for (tool, arguments) in [
        ("search_places", json!({ "filter": { "brand": "Starbucks" }, "pagination": { "page_size": 2 } })),
        ("search_inventory", json!({ "filter": { "digital": true }, "pagination": { "page_size": 2 } })),
    ] {
        let result = mcp.call(&org.key, tool, arguments).await;
        let body = &result["structuredContent"];
        let results = body.get("results").unwrap_or(&body["data"]["results"]);
        assert_eq!(results.as_array().map(Vec::len), Some(2), "{result}");
        assert_eq!(body["meta"]["credits_used"], 1, "{result}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert_eq!(&serde_json::from_str::<Value>(text).expect("JSON"), body);
    }
    assert_eq!(world.account(&org).await.totals.used - before, 2);
    let markets = mcp.called(&org.key, "list_markets", json!({ "q": "new york", "limit": 1 })).await;
    assert_eq!(markets["data"][0]["market_id"], "US2020XDMA501", "{markets}");
}

#[tokio::test]
async fn api_errors_are_returned_as_results_with_an_explanation() {
    let (world, org, other) = World::with_two_orgs().await;
    let mcp = Mcp::of(&world).await;
    let result = mcp.call(&org.key, "search_places", json!({ "filter": { "town": "Boston" } })).await;
    assert!(error_text(&result).contains("/filter/town"), "{result}");
    assert_eq!(result["structuredContent"]["error"]["code"], "VALIDATION_ERROR", "{result}");

    let draft = world.draft(&other, Family::Campaign).await;
    let (_, asset_id) = draft.rsplit_once('/').expect("a path");
    let result = mcp.call(&org.key, "read_campaign", json!({ "asset_id": asset_id })).await;
    assert_eq!(result["structuredContent"]["error"]["code"], "NOT_FOUND", "{result}");
}

#[tokio::test]
async fn invalid_arguments_are_explained_and_free() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let before = world.account(&org).await.totals.used;
    let asset_id = "01990000-0000-7000-8000-000000000000";
    for (tool, arguments, expected) in [
        ("read_campaign", json!({}), "`asset_id` is required"),
        ("create_campaign", samples::campaign(), "`idempotency_key` is required"),
        ("read_campaign", json!({ "asset_id": {} }), "`asset_id` must be an asset ID (a UUID)"),
        ("read_campaign", json!({ "asset_id": "" }), "`asset_id` must be an asset ID"),
        ("read_campaign", json!({ "asset_id": "summary" }), "`asset_id` must be an asset ID"),
        ("delete_campaign", json!({ "asset_id": "a/links/b" }), "`asset_id` must be an asset ID"),
        (
            "list_campaigns",
            json!({ "name": ["a"] }),
            "`name` must be a string, a number, or a Boolean, got [\"a\"]",
        ),
        (
            "list_campaigns",
            json!({ "name": "a".repeat(70_000) }),
            "the arguments in the path and the query are too",
        ),
        (
            "edit_campaign",
            json!({ "asset_id": asset_id, "if_match": "ä" }),
            "`if_match` must be a string of 1 to",
        ),
        ("read_credits", json!({ "month": 5 }), "`month` is unknown"),
        ("read_campaign", json!({ "asset_id": asset_id, "view": 1 }), "the arguments are `asset_id`"),
        (
            "buy_campaign_measurement",
            json!({ "asset_id": asset_id, "idempotency_key": "", "credits": 25 }),
            "`idempotency_key` must be a string of 1 to 255 visible ASCII characters",
        ),
    ] {
        let result = mcp.call(&org.key, tool, arguments).await;
        assert!(error_text(&result).contains(expected), "{result}");
    }
    assert_eq!(world.account(&org).await.totals.used, before);
    let response = mcp.request(&org.key, "tools/call", json!({ "name": "create_key" })).await;
    assert_eq!(response["error"]["message"], "unknown tool; tools/list returns all tools");
}

#[tokio::test]
async fn repeated_create_creates_one_campaign_and_is_charged_once() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let before = world.account(&org).await.totals.used;
    let mut arguments = samples::campaign();
    arguments["idempotency_key"] = json!("plan-1");
    let first = mcp.called(&org.key, "create_campaign", arguments.clone()).await;
    let second = mcp.called(&org.key, "create_campaign", arguments).await;
    assert_eq!(first["data"]["asset_id"], second["data"]["asset_id"]);
    assert_eq!(world.account(&org).await.totals.used - before, 1);
}

#[tokio::test]
async fn campaign_is_changed_and_deleted() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let draft = world.draft(&org, Family::Campaign).await;
    let (_, asset_id) = draft.rsplit_once('/').expect("a path");
    let edit = json!({ "asset_id": asset_id, "campaign": { "name": "Spring / 100%" } });
    let mut outdated = edit.clone();
    outdated["if_match"] = json!("7");
    let result = mcp.call(&org.key, "edit_campaign", outdated).await;
    assert_eq!(result["structuredContent"]["error"]["code"], "PRECONDITION_FAILED", "{result}");
    let edited = mcp.called(&org.key, "edit_campaign", edit).await;
    assert_eq!(edited["data"]["campaign"]["name"], "Spring / 100%");
    let listed = mcp.called(&org.key, "list_campaigns", json!({ "name": "spring / 100%", "limit": 5 })).await;
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(1), "{listed}");
    mcp.called(&org.key, "delete_campaign", json!({ "asset_id": asset_id })).await;
    assert_eq!(world.get(&draft).key(&org.key).send().await.status, 404);
}

#[tokio::test]
async fn purchase_requires_its_price() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let asset_id = world.estimated_draft(&org, Family::Campaign).await;
    let before = world.account(&org).await.totals.used;
    let purchase =
        |credits: Value| json!({ "asset_id": asset_id, "idempotency_key": "buy-1", "credits": credits });
    for wrong in [json!(24), json!("25"), json!(null)] {
        let result = mcp.call(&org.key, "buy_campaign_measurement", purchase(wrong.clone())).await;
        let expected = format!("`credits` must be the price of the purchase, 25, got {wrong}");
        assert!(error_text(&result).starts_with(&expected), "{result}");
    }
    assert_eq!(world.account(&org).await.totals.used, before);
    for _ in 0..2 {
        let bought = mcp.called(&org.key, "buy_campaign_measurement", purchase(json!(25))).await;
        assert_eq!(bought["data"]["state"], "queued");
    }
    assert_eq!(world.account(&org).await.totals.used - before, 25);
    let status = mcp.called(&org.key, "read_campaign_measurement", json!({ "asset_id": asset_id })).await;
    assert_eq!(status["data"]["state"], "queued");
}

#[tokio::test]
async fn service_without_measurements_offers_no_purchases() {
    let (world, org) = World::with_org().await;
    let mcp = Mcp::of(&world).await;
    let settings = ::mcp::Settings { measurement_credits: None, ..Mcp::settings(&mcp.origin) };
    let mcp = Mcp { router: ::mcp::router(settings), ..mcp };
    let listed = mcp.request(&org.key, "tools/list", json!({})).await;
    assert!(!listed.to_string().contains("buy_campaign_measurement"));
}

#[tokio::test]
async fn missing_responses_are_explained() {
    let (_world, org) = World::with_org().await;
    let mcp = Mcp { router: ::mcp::router(Mcp::settings("http://127.0.0.1:1")), origin: String::new() };
    let result = mcp.call(&org.key, "read_credits", json!({})).await;
    assert_eq!(error_text(&result), "the service could not be reached; nothing was charged; try again");

    // Accepts connections but never responds.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let silent = format!("http://{}", listener.local_addr().expect("an address"));
    let settings = ::mcp::Settings { time_limit: Duration::from_millis(50), ..Mcp::settings(&silent) };
    let mcp = Mcp { router: ::mcp::router(settings), origin: silent };
    let result = mcp.call(&org.key, "read_credits", json!({})).await;
    assert!(
        error_text(&result)
            .starts_with("the service did not respond in time, so the call may have taken effect"),
        "{result}"
    );
}

#[tokio::test]
async fn large_responses_are_returned_once_or_explained() {
    let (_world, org) = World::with_org().await;
    for (size, expected) in [
        (1_000_000, "The response is in `structuredContent`."),
        (5_000_000, "the call took effect, but its response of 5000011 bytes is too large for a tool result"),
    ] {
        let body = json!({ "data": "a".repeat(size) }).to_string();
        let service = axum::Router::new().fallback(move || async move { body });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, service).await });
        let mcp = Mcp { router: ::mcp::router(Mcp::settings(&origin)), origin };
        let result = mcp.call(&org.key, "read_credits", json!({})).await;
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.starts_with(expected), "{text}");
        let data = result["structuredContent"]["data"].as_str().map(str::len);
        assert_eq!(data, (size < 2_000_000).then_some(size));
    }
}
