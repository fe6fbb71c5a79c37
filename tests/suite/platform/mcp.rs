//! The MCP binary as deployed, which calls the API at the addresses of the gateway's stage.

use std::net::Ipv4Addr;

use harness::World;
use serde_json::{Value, from_str, json};

use super::events::filled_in;
use super::runtime::{answered, start_with};
use super::template::Template;

const EVENT: &str = "mcp/list-tools.json";

#[test]
fn mcp_event_uses_the_mcp_route() {
    let event: Value = from_str(include_str!("../../../events/mcp/list-tools.json")).expect("JSON");
    let template = Template::read();
    let route = template.route_of("/mcp");
    assert_eq!((route.binary, &event["rawPath"]), ("mcp", &json!("/mcp")));
    assert_eq!(event["routeKey"], format!("ANY {}", route.path.expect("a path")));
    let variables = &template.value()["Resources"]["HttpApi"]["Properties"]["StageVariables"];
    let names = |value: &Value| value.as_object().expect("variables").keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&event["stageVariables"]), names(variables));
}

#[tokio::test(flavor = "multi_thread")]
async fn mcp_binary_calls_the_api_of_its_stage() {
    let world = World::on_system_clock().await;
    let org = world.org("org_a").await;
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    let service = world.router();
    tokio::spawn(async move { axum::serve(listener, service).await });
    let mut process = start_with(&world, "mcp", &[("MEASUREMENT_CREDITS", "25")]).await;

    let text = filled_in(EVENT, &org, "");
    let answer = answered(process.invoke(&text).await);
    assert_eq!(answer["statusCode"], 200, "{answer}");
    let listed: Value = from_str(answer["body"].as_str().expect("a string")).expect("JSON");
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(mcp::definitions().len()));

    let mut event: Value = from_str(&text).expect("JSON");
    for variable in ["ApiOrigin", "SearchUrl"] {
        event["stageVariables"][variable] = json!(origin);
    }
    for (tool, arguments) in
        [("list_campaigns", json!({})), ("search_inventory", json!({ "pagination": { "page_size": 1 } }))]
    {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
        event["body"] = json!(call.to_string());
        event["headers"]["content-length"] = json!(call.to_string().len().to_string());
        let answer = answered(process.invoke(&event.to_string()).await);
        let response: Value = from_str(answer["body"].as_str().expect("a string")).expect("JSON");
        assert_eq!(response["result"]["isError"], false, "{response}");
        assert_eq!(response["result"]["structuredContent"]["meta"]["credits_used"], 1, "{response}");
    }
    process.stop().await;
}
