//! Converts a tool call to the HTTP request that is forwarded.

use accounting::Credits;
use http::{Method, Request, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rmcp::model::JsonObject;
use serde_json::Value;
use store::{AssetId, VisibleText};
use thiserror::Error;

use crate::access::SentKey;
use crate::settings::Gateways;
use crate::tools::{CREDITS, Definition, Effect};

/// The name of the path parameter for asset IDs.
const ASSET_ID: &str = "asset_id";

/// The maximum length of a header's value, in characters.
const MAX_HEADER: usize = 255;

/// The reason a tool call isn't forwarded.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) enum InvalidArguments {
    #[error("`{0}` is required")]
    Missing(String),
    #[error("`{name}` must be a string, a number, or a Boolean, got {got}")]
    NotScalar { name: String, got: Value },
    #[error("`{name}` is unknown; the arguments are {known}")]
    Unknown { name: String, known: String },
    #[error("`credits` must be the price of the purchase, {price}, got {got}; ask the user whether to buy")]
    Price { price: Credits, got: Value },
    #[error("`{name}` must be a string of 1 to {MAX_HEADER} visible ASCII characters, got {got}")]
    Header { name: String, got: Value },
    #[error("`asset_id` must be an asset ID (a UUID), got {0}")]
    AssetId(Value),
    #[error("the arguments in the path and the query are too long")]
    TooLong,
}

/// Builds the HTTP request for a tool call. Returns an error if the arguments are invalid. `price` is the
/// price that must be passed as the `credits` argument of a purchase.
pub(crate) fn request(
    definition: &Definition,
    mut arguments: JsonObject,
    price: Credits,
    gateways: &Gateways,
    SentKey(key): SentKey,
) -> Result<Request<String>, InvalidArguments> {
    if let Some(missing) = definition.required.iter().find(|name| !arguments.contains_key(*name)) {
        return Err(InvalidArguments::Missing(missing.clone()));
    }
    if definition.effect == Effect::Buy {
        let stated = arguments.remove(CREDITS).unwrap_or_default();
        if stated != price {
            return Err(InvalidArguments::Price { price, got: stated });
        }
    }
    let (base, key_header) = if definition.is_on_search_gateway {
        (gateways.search.clone(), "apikey")
    } else {
        (format!("{}/v2", gateways.api), "x-api-key")
    };
    let method: Method = definition.method.parse().expect("openapi.yaml has standard methods");
    let mut request = Request::builder().method(method).header(key_header, key);
    for (argument, header) in &definition.headers {
        if let Some(value) = arguments.remove(argument) {
            let text: Option<VisibleText<MAX_HEADER>> = value.as_str().and_then(|text| text.parse().ok());
            let text = text.ok_or_else(|| InvalidArguments::Header { name: argument.clone(), got: value })?;
            request = request.header(header, text.to_string());
        }
    }
    let address = format!("{base}{}", path_and_query(definition, &mut arguments)?);
    let body = if definition.has_body {
        request = request.header(header::CONTENT_TYPE, "application/json");
        Value::from(arguments).to_string()
    } else if let Some(name) = arguments.keys().next() {
        let known: Vec<_> = definition.properties.keys().map(|name| format!("`{name}`")).collect();
        return Err(InvalidArguments::Unknown { name: name.clone(), known: known.join(", ") });
    } else {
        String::new()
    };
    request.uri(address).body(body).map_err(|_| InvalidArguments::TooLong)
}

/// Removes the path and query parameters from the arguments. Returns the path and query that contain them.
fn path_and_query(definition: &Definition, arguments: &mut JsonObject) -> Result<String, InvalidArguments> {
    let mut path = String::new();
    for segment in definition.path.split('/').skip(1) {
        path.push('/');
        match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) => {
                let value = arguments.remove(name).unwrap_or_default();
                // Other text, such as `summary`, could address a different operation.
                let is_valid =
                    name != ASSET_ID || value.as_str().is_some_and(|text| text.parse::<AssetId>().is_ok());
                if !is_valid {
                    return Err(InvalidArguments::AssetId(value));
                }
                path += &escaped(name, value)?;
            }
            None => path += segment,
        }
    }
    let mut separator = '?';
    for name in &definition.query {
        if let Some(value) = arguments.remove(name).filter(|value| !value.is_null()) {
            path.push(separator);
            path += &format!("{name}={}", escaped(name, value)?);
            separator = '&';
        }
    }
    Ok(path)
}

fn escaped(name: &str, value: Value) -> Result<String, InvalidArguments> {
    let text = match value {
        Value::String(text) => text,
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        got => return Err(InvalidArguments::NotScalar { name: name.to_owned(), got }),
    };
    Ok(utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string())
}
