//! The connection between the AWS SDK and the database engine. It can lose, delay, refuse, and record
//! requests, and sets the `Date` header of responses.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aws::https_client;
use aws_sdk_dynamodb::config::{HttpClient, RuntimeComponents, SharedHttpClient};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::DateTime;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::date_time::Format;
use http_body_util::BodyExt;
use marquee::engine::TABLE_PREFIX;
use runtime::Clock;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::access;

/// A fault in one request to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request is processed normally.
    None,
    /// The request is processed, but the response is lost.
    AnswerLost,
    /// The request is processed, but the response is a 500.
    ErrorAfterCommit,
    /// The connection breaks before the request arrives.
    RequestLost,
    /// The request isn't processed. The response is a 500.
    ErrorBeforeCommit,
    /// The request isn't processed. The response reports throttling.
    Throttled,
    /// The request isn't processed. The response reports all keys of a batch as unprocessed.
    Unprocessed,
    /// The request isn't processed. The response reports a conflict with another transaction.
    Conflict,
    /// The request is processed after a delay, even if the caller stops waiting.
    Delayed(Duration),
    /// The caller gets a connection error immediately, but the engine processes the request after this many
    /// later requests.
    ArrivesLate(usize),
}

/// A request to the engine, and the capacity that it consumed.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// The operation, such as `UpdateItem`.
    pub operation: String,
    pub body: Value,
    /// The consumed capacity units, or 0 if the request wasn't recorded.
    pub units: f64,
    /// The status of the engine's response, which the caller may not have received, or 0 if the request
    /// wasn't recorded.
    pub status: u16,
}

impl Sent {
    /// Returns whether the request uses a table. The name omits the prefix.
    pub fn touches(&self, table: &str) -> bool {
        names_table(&self.body, &format!("{TABLE_PREFIX}{table}"))
    }

    pub fn is_write(&self) -> bool {
        matches!(self.operation.as_str(), "PutItem" | "UpdateItem" | "DeleteItem" | "TransactWriteItems")
    }
}

type Decide = Box<dyn FnMut(&Sent) -> Fault + Send>;
type Meanwhile = Pin<Box<dyn Future<Output = ()> + Send>>;
type Before = Box<dyn FnMut(&Sent) -> Option<Meanwhile> + Send>;

/// The connection between the SDK and the engine.
#[derive(Clone)]
pub struct Wire(Arc<State>);

struct State {
    inner: SharedHttpClient,
    clock: Clock,
    script: Mutex<Script>,
    passed: Notify,
}

#[derive(Default)]
struct Script {
    decide: Option<Decide>,
    before: Option<Before>,
    record: bool,
    sent: Vec<Sent>,
    count: usize,
    late: usize,
    deliver_all: bool,
    date: AnswerDate,
}

/// The `Date` header of responses.
#[derive(Clone, Copy, Debug, Default)]
pub enum AnswerDate {
    /// The current time of the connection's clock.
    #[default]
    Present,
    /// The given string, which may be malformed.
    Text(&'static str),
    Missing,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wire")
    }
}

impl Wire {
    /// Creates a reliable connection whose responses are dated by the given clock.
    pub fn new(clock: Clock) -> Self {
        let inner = https_client();
        Self(Arc::new(State { inner, clock, script: Mutex::default(), passed: Notify::new() }))
    }

    /// Returns the HTTP client for the SDK.
    pub fn client(&self) -> SharedHttpClient {
        SharedHttpClient::new(self.clone())
    }

    /// Makes the connection unreliable. `decide` chooses the fault for each request.
    pub fn inject_faults(&self, decide: impl FnMut(&Sent) -> Fault + Send + 'static) {
        self.script().decide = Some(Box::new(decide));
    }

    /// Sets the `Date` header of all later responses.
    pub fn date(&self, date: AnswerDate) {
        self.script().date = date;
    }

    /// Calls `before` before each request. If it returns a future, the future runs to completion before the
    /// request is sent.
    pub fn interleave(&self, before: impl FnMut(&Sent) -> Option<Meanwhile> + Send + 'static) {
        self.script().before = Some(Box::new(before));
    }

    /// Runs `meanwhile` to completion before sending the first request that `picks` selects.
    pub fn before_first(
        &self,
        mut picks: impl FnMut(&Sent) -> bool + Send + 'static,
        meanwhile: impl Future<Output = ()> + Send + 'static,
    ) {
        let mut pending: Option<Meanwhile> = Some(Box::pin(meanwhile));
        self.interleave(move |sent| if picks(sent) { pending.take() } else { None });
    }

    /// Applies one fault to each request that `picks` selects, in order. All other requests succeed,
    /// including those after the last fault.
    pub fn break_in_order(&self, picks: impl Fn(&Sent) -> bool + Send + 'static, faults: &[Fault]) {
        let mut faults = VecDeque::from(faults.to_vec());
        self.inject_faults(
            move |sent| if picks(sent) { faults.pop_front().unwrap_or(Fault::None) } else { Fault::None },
        );
    }

    /// Makes the connection reliable and waits until all late requests have arrived.
    pub async fn stop_faults(&self) {
        {
            let mut script = self.script();
            script.decide = None;
            script.before = None;
            script.deliver_all = true;
        }
        while self.script().late > 0 {
            self.0.passed.notify_waiters();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        self.script().deliver_all = false;
    }

    /// Starts recording requests and their capacity units.
    pub fn record(&self) {
        let mut script = self.script();
        script.record = true;
        script.sent.clear();
    }

    /// Returns the recorded requests and clears the record.
    pub fn take(&self) -> Vec<Sent> {
        std::mem::take(&mut self.script().sent)
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.0.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn carry(
        self,
        inner: SharedHttpConnector,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let (mut request, sent) = read(request);
        access::note(&sent.operation, &sent.body);
        let meanwhile = self.script().before.as_mut().and_then(|before| before(&sent));
        if let Some(meanwhile) = meanwhile {
            access::outside_functions(meanwhile).await;
        }
        let fault = {
            let mut script = self.script();
            script.count += 1;
            script.decide.as_mut().map_or(Fault::None, |decide| decide(&sent))
        };
        self.0.passed.notify_waiters();
        if self.script().record {
            request = with_capacity(request, &sent);
        }
        match fault {
            Fault::None => self.deliver(inner, request, sent).await,
            Fault::AnswerLost => {
                let _ = self.deliver(inner, request, sent).await;
                Err(broken())
            }
            Fault::ErrorAfterCommit => {
                let _ = self.deliver(inner, request, sent).await;
                Ok(service_error(500, "InternalServerError", &sent_nothing()))
            }
            Fault::RequestLost => Err(broken()),
            Fault::ErrorBeforeCommit => Ok(service_error(500, "InternalServerError", &sent_nothing())),
            Fault::Throttled => {
                Ok(service_error(400, "ProvisionedThroughputExceededException", &sent_nothing()))
            }
            Fault::Unprocessed => Ok(unprocessed(&sent)),
            Fault::Conflict => Ok(conflict(&sent)),
            Fault::Delayed(delay) => {
                self.script().late += 1;
                // The request must arrive even if its caller times out and drops this future.
                let delivery = tokio::spawn(self.deliver_after(inner, request, sent, delay));
                delivery.await.unwrap_or_else(|_| Err(broken()))
            }
            Fault::ArrivesLate(later) => {
                self.script().late += 1;
                tokio::spawn(self.clone().deliver_late(inner, request, sent, later));
                Err(broken())
            }
        }
    }

    /// Sends a request to the engine in its own task, so that it is processed and recorded even if the caller
    /// stops waiting.
    async fn deliver(
        self,
        inner: SharedHttpConnector,
        request: HttpRequest,
        sent: Sent,
    ) -> Result<HttpResponse, ConnectorError> {
        self.script().late += 1;
        let delivery = tokio::spawn(self.deliver_after(inner, request, sent, Duration::ZERO));
        delivery.await.unwrap_or_else(|_| Err(broken()))
    }

    async fn deliver_after(
        self,
        inner: SharedHttpConnector,
        request: HttpRequest,
        sent: Sent,
        delay: Duration,
    ) -> Result<HttpResponse, ConnectorError> {
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        let answer = self.forward(&inner, request, sent).await;
        self.arrived();
        answer
    }

    async fn deliver_late(self, inner: SharedHttpConnector, request: HttpRequest, sent: Sent, later: usize) {
        let due = self.script().count + later;
        loop {
            let passed = self.0.passed.notified();
            {
                let script = self.script();
                if script.count >= due || script.deliver_all {
                    break;
                }
            }
            passed.await;
        }
        let _ = self.forward(&inner, request, sent).await;
        self.arrived();
    }

    fn date_answer(&self, response: &mut HttpResponse) {
        let headers = response.headers_mut();
        headers.remove("date");
        match self.script().date {
            AnswerDate::Present => {
                let present = DateTime::from_secs(self.0.clock.now().unix_seconds());
                headers.insert("date", present.fmt(Format::HttpDate).expect("a date of four digits"));
            }
            AnswerDate::Text(text) => {
                headers.insert("date", text);
            }
            AnswerDate::Missing => {}
        }
    }

    /// Records that a late request has arrived.
    fn arrived(&self) {
        self.script().late -= 1;
        self.0.passed.notify_waiters();
    }

    async fn forward(
        &self,
        inner: &SharedHttpConnector,
        request: HttpRequest,
        mut sent: Sent,
    ) -> Result<HttpResponse, ConnectorError> {
        let mut response = inner.call(request).await?;
        self.date_answer(&mut response);
        if !self.script().record {
            return Ok(response);
        }
        let status = response.status();
        let headers = response.headers().clone();
        let body = response.into_body().collect().await.map_err(ConnectorError::io)?.to_bytes();
        let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
        sent.units = units(&answer["ConsumedCapacity"]);
        sent.status = status.as_u16();
        self.script().sent.push(sent);
        let mut response = HttpResponse::new(status, SdkBody::from(body));
        for (name, value) in &headers {
            response.headers_mut().insert(name.to_owned(), value.to_owned());
        }
        Ok(response)
    }
}

impl HttpClient for Wire {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let inner = self.0.inner.http_connector(settings, components);
        SharedHttpConnector::new(Connector { wire: self.clone(), inner })
    }
}

#[derive(Clone, Debug)]
struct Connector {
    wire: Wire,
    inner: SharedHttpConnector,
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::new(self.wire.clone().carry(self.inner.clone(), request))
    }
}

fn read(request: HttpRequest) -> (HttpRequest, Sent) {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
    let body =
        request.body().bytes().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
    (request, Sent { operation, body, units: 0.0, status: 0 })
}

fn with_capacity(mut request: HttpRequest, sent: &Sent) -> HttpRequest {
    let mut body = sent.body.clone();
    body["ReturnConsumedCapacity"] = json!("TOTAL");
    let bytes = body.to_string();
    request.headers_mut().insert("content-length", bytes.len().to_string());
    *request.body_mut() = SdkBody::from(bytes);
    request
}

fn names_table(value: &Value, table: &str) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, member)| {
            (name == "TableName" && member == table)
                || (name == "RequestItems" && member.get(table).is_some())
                || (name.starts_with("Transact") || matches!(name.as_str(), "Put" | "Update" | "Delete"))
                    && names_table(member, table)
        }),
        Value::Array(members) => members.iter().any(|member| names_table(member, table)),
        _ => false,
    }
}

fn units(consumed: &Value) -> f64 {
    match consumed {
        Value::Array(tables) => tables.iter().map(units).sum(),
        one => one["CapacityUnits"].as_f64().unwrap_or(0.0),
    }
}

fn broken() -> ConnectorError {
    ConnectorError::io("the wire is broken".into())
}

fn sent_nothing() -> Value {
    json!({})
}

fn unprocessed(sent: &Sent) -> HttpResponse {
    let body = json!({ "Responses": {}, "UnprocessedKeys": sent.body["RequestItems"] });
    HttpResponse::new(http::StatusCode::OK.into(), SdkBody::from(body.to_string()))
}

fn conflict(sent: &Sent) -> HttpResponse {
    if sent.operation != "TransactWriteItems" {
        return service_error(400, "TransactionConflictException", &sent_nothing());
    }
    let writes = sent.body["TransactItems"].as_array().map_or(1, Vec::len);
    let reasons: Vec<_> = (0..writes)
        .map(|index| json!({ "Code": if index == 0 { "TransactionConflict" } else { "None" } }))
        .collect();
    service_error(400, "TransactionCanceledException", &json!({ "CancellationReasons": reasons }))
}

fn service_error(status: u16, code: &str, more: &Value) -> HttpResponse {
    let mut body = more.clone();
    body["__type"] = json!(format!("com.amazonaws.dynamodb.v20120810#{code}"));
    body["message"] = json!("made by the harness");
    let status = http::StatusCode::from_u16(status).expect("a status");
    HttpResponse::new(status.into(), SdkBody::from(body.to_string()))
}
