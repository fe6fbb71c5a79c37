//! Targets that turn an input into a request.

use std::sync::LazyLock;

use axum::body::Body;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use harness::{OPERATIONS, Operation, samples};
use http::{HeaderValue, Method, Request};

use super::process::{Process, with_process};
use super::{body, hostile};
use crate::choices::{Choices, damage};

/// The request headers that the service reads.
static HEADERS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "x-api-key apikey authorization x-session-token idempotency-key if-match if-none-match \
     content-type accept accept-encoding origin x-request-id content-length content-encoding"
        .split(' ')
        .collect()
});

static PARAMETERS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "cursor limit state page page_size token sort order from to geography_type customer_scenario_id name format"
        .split(' ')
        .collect()
});

/// Sends a valid call with some altered headers.
pub(crate) fn headers(input: &[u8]) {
    with_process(|process| {
        let mut choices = Choices::of(input);
        let operation = &OPERATIONS[choices.below(OPERATIONS.len())];
        let mut request = valid_request(process, operation, &mut choices);
        while !choices.is_empty() {
            let name = choices.pick(&HEADERS);
            let mut value = valid(process, name, &mut choices);
            damage(&mut value, &mut choices);
            // Skips values that an HTTP server's parser would reject.
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                request.headers_mut().append(name, value);
            }
            if choices.byte().is_multiple_of(4) {
                request.headers_mut().remove(choices.pick(&HEADERS));
            }
        }
        process.send(request);
    });
}

/// Sends a valid call with an altered body.
pub(crate) fn bodies(input: &[u8]) {
    with_process(|process| {
        let mut choices = Choices::of(input);
        let with_body: Vec<&Operation> = OPERATIONS.iter().filter(|one| one.body.is_some()).collect();
        let operation = choices.pick(&with_body);
        let mut request = valid_request(process, operation, &mut choices);
        let valid = operation.body.expect("a body")();
        let text = if choices.byte() % 8 == 7 {
            choices.rest().to_vec()
        } else {
            body::altered(valid, &mut choices)
        };
        *request.body_mut() = Body::from(text);
        process.send(request);
    });
}

/// Sends a call with an altered path and query.
pub(crate) fn paths(input: &[u8]) {
    with_process(|process| {
        let mut choices = Choices::of(input);
        let operation = &OPERATIONS[choices.below(OPERATIONS.len())];
        let mut request = valid_request(process, operation, &mut choices);
        let whole = request.uri().to_string();
        let mut path = match choices.byte() % 4 {
            0 => altered_text(&whole, &mut choices),
            1 => format!("{whole}/{}", hostile::encoded(hostile::text(&mut choices).as_bytes())),
            2 => template(operation, &mut choices),
            _ => whole,
        };
        for at in 0..choices.byte() % 4 {
            let name = choices.pick(&PARAMETERS);
            let value = parameter(name, &mut choices);
            path = format!("{path}{}{name}={value}", if at == 0 { '?' } else { '&' });
        }
        if let Ok(uri) = path.parse() {
            *request.uri_mut() = uri;
        }
        if choices.byte().is_multiple_of(8) {
            let others = [Method::HEAD, Method::OPTIONS, Method::PUT, Method::DELETE, Method::TRACE];
            *request.method_mut() = others[choices.below(others.len())].clone();
        }
        process.send(request);
    });
}

/// Returns a valid call of an operation. If the path has parameters, the resource exists in half of the
/// calls.
fn valid_request(process: &mut Process, operation: &Operation, choices: &mut Choices<'_>) -> Request<Body> {
    let path = path_of(process, operation, choices);
    let (header, value) = if operation.is_for_people() {
        ("authorization", format!("Bearer {}", process.org.owner_token))
    } else {
        (operation.key_header(), process.org.key.clone())
    };
    let request = Request::builder().method(operation.method.clone()).uri(path);
    let request = request.header(header, value).header("content-type", "application/json");
    let body = operation.body.map_or_else(Body::empty, |body| Body::from(body().to_string()));
    request.body(body).expect("valid request")
}

fn path_of(process: &Process, operation: &Operation, choices: &mut Choices<'_>) -> String {
    let is_real = operation.path.contains('{') && choices.byte().is_multiple_of(2);
    if !is_real {
        return operation.path_of_unknown_ids();
    }
    process.run(operation.path_for(&process.world, &process.org, &process.router))
}

/// Replaces the parameters in an operation's path with hostile strings.
fn template(operation: &Operation, choices: &mut Choices<'_>) -> String {
    let parts = operation.path.split('/').map(|part| {
        if part.starts_with('{') {
            hostile::encoded(hostile::text(choices).as_bytes())
        } else {
            part.to_owned()
        }
    });
    parts.collect::<Vec<_>>().join("/")
}

fn altered_text(text: &str, choices: &mut Choices<'_>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    damage(&mut bytes, choices);
    let encoded = hostile::encoded(&bytes).replace("%2F", "/").replace("%25", "%");
    format!("/{}", encoded.trim_start_matches('/'))
}

fn parameter(name: &str, choices: &mut Choices<'_>) -> String {
    if name == "cursor" && choices.byte().is_multiple_of(2) {
        // Alters a valid list cursor.
        let mut cursor = gateway::write_cursor("campaigns", choices.run()).into_bytes();
        damage(&mut cursor, choices);
        return hostile::encoded(&cursor);
    }
    hostile::encoded(hostile::text(choices).as_bytes())
}

/// Returns a header value, which is hostile in a quarter of cases and otherwise valid. Half of the bearer
/// tokens are altered.
fn valid(process: &Process, name: &str, choices: &mut Choices<'_>) -> Vec<u8> {
    let text = match name {
        "x-api-key" | "apikey" => process.org.key.clone(),
        "authorization" if choices.byte().is_multiple_of(2) => altered_token(choices),
        "authorization" => format!("Bearer {}", process.org.owner_token),
        "x-session-token" => process.session.clone(),
        "if-match" | "if-none-match" => "\"1\"".to_owned(),
        "content-type" => "application/json; charset=utf-8".to_owned(),
        "accept" => "text/csv;q=0.5, application/geo+json".to_owned(),
        "accept-encoding" => "gzip;q=1.0, *;q=0".to_owned(),
        "origin" => "https://maps.example.com".to_owned(),
        _ => "key-1".to_owned(),
    };
    if choices.byte().is_multiple_of(4) { hostile::text(choices).into_bytes() } else { text.into_bytes() }
}

/// Returns a token whose header and claims were altered before encoding.
fn altered_token(choices: &mut Choices<'_>) -> String {
    let mut claims = samples::acceptance();
    claims["iss"] = "http://127.0.0.1".into();
    claims["exp"] = choices.number().into();
    let claims = body::altered(claims, choices);
    let mut header = br#"{"alg":"RS256","kid":"1","typ":"JWT"}"#.to_vec();
    damage(&mut header, choices);
    let [header, claims, signature] =
        [&header, &claims, choices.run()].map(|part| URL_SAFE_NO_PAD.encode(part));
    format!("Bearer {header}.{claims}.{signature}")
}
