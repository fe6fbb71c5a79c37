//! Handles MCP requests: lists tools and documents, and forwards calls.

use http::request::Parts;
use http::{Request, StatusCode};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Extensions, Implementation,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use crate::access::SentKey;
use crate::documents::{MARKDOWN, document_request, list_request, parse_list};
use crate::forward::{Answer, Forwarder};
use crate::request::request;
use crate::settings::{Gateways, Settings};
use crate::tools::{Definition, Effect, definitions};

/// The instructions that clients pass to their model.
const INSTRUCTIONS: &str = "Plans, estimates, and measures out-of-home advertising. A campaign consists of \
    spots on displays, a flight, and an audience: a cohort in one or more markets. To plan one, find a cohort \
    and a market, search the inventory, estimate the campaign, and create it. Every tool's description states \
    its price, and read_credits returns the balance. Figures with the maturity `synthetic-only` are modelled, so \
    don't present them as measurements. The resources explain the terms, the model, and all errors.";

/// The maximum size of a response body in a result, in bytes. Lambda's limit for a response is 6 MB, and
/// escaping the quotation marks in the JSON makes the response larger.
const MAX_BODY: usize = 4_000_000;

/// The maximum size of a response body that a result contains both as text, for older clients, and as
/// structured content, in bytes.
const MAX_REPEATED_BODY: usize = 500_000;

/// The MCP server. Each request is handled by a copy.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    settings: Settings,
    forwarder: Forwarder,
}

impl Server {
    pub(crate) fn new(settings: Settings) -> Self {
        let forwarder = Forwarder::new(settings.time_limit);
        Self { settings, forwarder }
    }

    /// Returns the tools. Omits the tools that buy measurements if the service doesn't sell any.
    fn tools(&self) -> impl Iterator<Item = &'static Definition> {
        let sells = self.settings.measurement_credits.is_some();
        definitions().iter().filter(move |tool| sells || tool.effect != Effect::Buy)
    }

    /// Returns the API's addresses and the request's API key.
    fn caller(&self, extensions: &Extensions) -> Result<(Gateways, SentKey), ErrorData> {
        let request = extensions.get::<Parts>().map(|parts| &parts.extensions);
        let gateways = self.settings.gateways.clone().or_else(|| Gateways::of_stage(request?));
        let key = request.and_then(|request| request.get::<SentKey>()).cloned();
        gateways.zip(key).ok_or_else(|| {
            tracing::error!(event = "addresses_missing");
            ErrorData::internal_error("the server doesn't know the addresses of the API", None)
        })
    }

    async fn call(
        &self,
        definition: &Definition,
        call: CallToolRequestParams,
        extensions: &Extensions,
    ) -> Result<CallToolResult, ErrorData> {
        let (gateways, key) = self.caller(extensions)?;
        let price = definition.price(self.settings.measurement_credits);
        let arguments = call.arguments.unwrap_or_default();
        let request = match request(definition, arguments, price, &gateways, key) {
            Ok(request) => request,
            Err(error) => return Ok(failed(error.to_string())),
        };
        let answer = self.forwarder.send(request).await;
        let status = answer.as_ref().ok().map(|answer| answer.status.as_u16());
        tracing::info!(event = "tool_called", tool = definition.name, status);
        Ok(match answer {
            Ok(answer) => result(answer),
            Err(error) => failed(error.to_string()),
        })
    }

    /// Fetches a document or the list of documents.
    async fn fetch(&self, request: Request<String>) -> Result<String, ErrorData> {
        match self.forwarder.send(request).await {
            Ok(Answer { status, body }) if status.is_success() => Ok(body),
            Ok(Answer { status: StatusCode::NOT_FOUND, .. }) => Err(unknown_document()),
            Ok(_) => {
                Err(ErrorData::internal_error("the documents are temporarily unavailable; try again", None))
            }
            Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("marquee", env!("CARGO_PKG_VERSION")).with_title("Marquee"))
            .with_instructions(INSTRUCTIONS)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let definition = self.tools().find(|tool| tool.name == name)?;
        Some(definition.to_tool(self.settings.measurement_credits))
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tools().map(|tool| tool.to_tool(self.settings.measurement_credits)).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let definition = self
            .tools()
            .find(|tool| tool.name == call.name)
            .ok_or_else(|| ErrorData::invalid_params("unknown tool; tools/list returns all tools", None))?;
        Ok(self.call(definition, call, &context.extensions).await?.into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (gateways, _) = self.caller(&context.extensions)?;
        let list = self.fetch(list_request(&gateways)).await?;
        Ok(ListResourcesResult::with_all_items(parse_list(&list, &gateways)))
    }

    async fn read_resource(
        &self,
        ReadResourceRequestParams { uri, .. }: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (gateways, _) = self.caller(&context.extensions)?;
        let request = document_request(&uri, &gateways).ok_or_else(unknown_document)?;
        let text = self.fetch(request).await?;
        let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

/// Returns the result of a call that reached the API. If the call failed, the result contains the body of the
/// error, so that the model can correct the call.
fn result(Answer { status, body }: Answer) -> CallToolResult {
    if body.len() > MAX_BODY {
        let ended = if status.is_success() { "took effect" } else { "failed" };
        return failed(format!(
            "the call {ended}, but its response of {} bytes is too large for a tool result; request fewer \
             results or fields",
            body.len()
        ));
    }
    let is_repeated = body.len() <= MAX_REPEATED_BODY;
    let body = match serde_json::from_str(&body) {
        Ok(body) => body,
        Err(_) if body.is_empty() => json!({"status": status.as_u16()}),
        Err(_) => Value::from(body),
    };
    let mut result = if status.is_success() {
        CallToolResult::structured(body)
    } else {
        CallToolResult::structured_error(body)
    };
    if !is_repeated {
        result.content = vec![ContentBlock::text("The response is in `structuredContent`.")];
    }
    result
}

/// Returns the result of a call that wasn't forwarded or got no response.
fn failed(message: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(message)])
}

fn unknown_document() -> ErrorData {
    ErrorData::resource_not_found("unknown document; resources/list returns all documents", None)
}
