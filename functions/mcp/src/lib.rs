//! The MCP server: tools and documents for AI agents, over the Model Context Protocol.
//!
//! Each tool is one operation of the API. The server forwards calls to the API's public address with the
//! caller's API key, so that the API authorizes, validates, and charges them like all other calls. The server
//! itself has no access to data. It's stateless: each request contains everything that it needs.
//!
//! See `docs/decisions/0069-mcp.md` and <https://modelcontextprotocol.io/specification>.

mod access;
mod documents;
mod forward;
mod request;
mod server;
mod settings;
mod tools;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn;
use axum::routing::post_service;
use gateway::with_security_headers;
use rmcp::transport::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;

use server::Server;

pub use settings::{Gateways, Settings};
pub use tools::{Definition, Effect, definitions};

/// The server's path.
pub const PATH: &str = "/mcp";

/// The maximum size of a request, in bytes. It's the maximum size of a scenario.
const MAX_BODY_BYTES: usize = 6 * 1024 * 1024;

/// Returns the server's router. Methods other than POST return 405, because there are no sessions.
pub fn router(settings: Settings) -> Router {
    // Hosts needn't be checked here: the gateway accepts only its own host names, and the local process has
    // its own check. Requests from web pages are rejected, because everyone who opens a page could read the
    // key that it sends.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_BODY_BYTES)
        .disable_allowed_hosts()
        .enforce_origin_validation();
    let server = Server::new(settings);
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let router = Router::new().route(PATH, post_service(service).route_layer(from_fn(access::require_key)));
    with_security_headers(router)
}
