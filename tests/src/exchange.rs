//! Sends raw HTTP requests over TCP.

use std::io::{self, ErrorKind};

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use marquee::serve::TEST_PREFIX;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::{Answer, Contract, in_time};

/// Sends a raw request and reads the response until the connection closes.
pub async fn exchange(address: &str, request: &str) -> Answer {
    in_time(try_exchange(address, request)).await.expect("an answer")
}

/// Sends a request to a service that may stop at any time, and checks the response against the contract.
///
/// # Errors
///
/// Returns an error if no complete response arrives.
pub async fn try_call(
    address: &str,
    method: &Method,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> io::Result<Answer> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut answer = try_exchange(address, &request).await?;
    // The HTTP server adds this header, which isn't part of the contract.
    answer.headers.remove("date");
    // Only the local service has test routes, so the contract doesn't describe them.
    if !path.starts_with(TEST_PREFIX) {
        Contract::get().check(method, path.split('?').next().unwrap_or(path), &answer);
    }
    Ok(answer)
}

async fn try_exchange(address: &str, request: &str) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    parsed(&answer).ok_or_else(|| ErrorKind::UnexpectedEof.into())
}

/// Parses a response. Returns `None` if the body is shorter than `Content-Length`.
fn parsed(response: &[u8]) -> Option<Answer> {
    let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&response[..end]).expect("headers are text");
    let mut lines = head.split("\r\n");
    let status =
        lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 ")?.get(..3)).expect("a status line");
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(": ").expect("a header");
        let name: HeaderName = name.parse().expect("a header name");
        if name != "connection" {
            headers.append(name, HeaderValue::from_str(value).expect("a header value"));
        }
    }
    let body = response[end + 4..].to_vec();
    let (status, sent_bytes) = (StatusCode::from_bytes(status.as_bytes()).expect("a status"), body.len());
    let answer = Answer { status, headers, body, sent_bytes };
    let is_whole =
        status == StatusCode::NO_CONTENT || answer.number("content-length") == answer.body.len() as i64;
    is_whole.then_some(answer)
}
