//! Tests of the MCP server, which forwards calls to a world on a loopback port.

mod access;
mod documents;
mod tools;

use std::net::Ipv4Addr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use estimates::OwnMeasurement;
use harness::{Answer, World};
use http::{Method, Request, header};
use mcp::{Gateways, Settings};
use portal::Pages;
use serde_json::{Value, json};
use tower::ServiceExt;

/// The protocol version in requests.
const VERSION: &str = "2025-06-18";

/// An MCP server in front of a world.
struct Mcp {
    router: Router,
    /// The address of the world's API.
    origin: String,
}

impl Mcp {
    /// Creates a server that forwards to a world and to the portal's documents.
    async fn of(world: &World) -> Self {
        let pages = Pages::built_in().expect("the portal's pages");
        let service = portal::router(pages, portal::Settings { local: true, ..Default::default() });
        let service = service.fallback_service(world.router());
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, service).await });
        Self { router: mcp::router(Self::settings(&origin)), origin }
    }

    fn settings(origin: &str) -> Settings {
        Settings {
            gateways: Some(Gateways { api: origin.to_owned(), search: origin.to_owned() }),
            measurement_credits: Some(OwnMeasurement::DEFAULT_CREDITS),
            time_limit: Duration::from_secs(20),
        }
    }

    /// Sends a request with the given headers, in addition to those that every client sends.
    async fn send(&self, method: Method, headers: &[(&str, &str)], message: &Value) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(mcp::PATH)
            .header(header::HOST, "api.marquee.example")
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header(header::CONTENT_TYPE, "application/json")
            .header("mcp-protocol-version", VERSION);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(message.to_string())).expect("a request");
        Answer::read(self.router.clone().oneshot(request).await.expect("infallible")).await
    }

    /// Sends a protocol request and returns the response.
    async fn request(&self, key: &str, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let answer = self.send(Method::POST, &[("x-api-key", key)], &message).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Calls a tool and returns its result.
    async fn call(&self, key: &str, tool: &str, arguments: Value) -> Value {
        let mut response =
            self.request(key, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
        let result = response["result"].take();
        assert!(result.is_object(), "{response}");
        result
    }

    /// Calls a tool and returns the API's response.
    async fn called(&self, key: &str, tool: &str, arguments: Value) -> Value {
        let mut result = self.call(key, tool, arguments).await;
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].take()
    }
}

fn error_text(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().expect("a text")
}
