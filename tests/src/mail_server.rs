//! A local stand-in for Amazon SES that records emails and can reject them.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws::LocalEndpoint;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use gateway::MailSender;
use http::{HeaderMap, Method, StatusCode, Uri};
use serde_json::{Value, json};

use crate::sha256;

pub struct MailServer {
    endpoint: String,
    received: Arc<Mutex<Received>>,
}

#[derive(Clone, Debug)]
pub struct ReceivedMail {
    /// The HTTP method and the path.
    pub target: String,
    pub authorization: String,
    /// Whether the digest in the signed header matches the body.
    pub has_right_digest: bool,
    pub body: Value,
}

#[derive(Default)]
struct Received {
    mails: Vec<ReceivedMail>,
    /// The status and the error code for rejected requests, or `None` to accept requests.
    refusal: Option<(StatusCode, &'static str)>,
}

impl MailServer {
    pub async fn start() -> Self {
        let received = Arc::<Mutex<Received>>::default();
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(answer).with_state(received.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { endpoint, received }
    }

    /// Returns a sender that connects to this server.
    pub fn sender(&self) -> MailSender {
        let endpoint = LocalEndpoint::at(self.endpoint.clone());
        MailSender { from: "Marquee <sign-in@example.com>".to_owned(), endpoint: Some(endpoint) }
    }

    /// Rejects later requests with a status and an error code, or accepts them again if `refusal` is `None`.
    pub fn refuse(&self, refusal: Option<(StatusCode, &'static str)>) {
        self.received().refusal = refusal;
    }

    /// Returns the emails received since the last call of `take`.
    pub fn take(&self) -> Vec<ReceivedMail> {
        std::mem::take(&mut self.received().mails)
    }

    fn received(&self) -> MutexGuard<'_, Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn answer(
    State(received): State<Arc<Mutex<Received>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut received = received.lock().unwrap_or_else(PoisonError::into_inner);
    received.mails.push(ReceivedMail {
        target: format!("{method} {uri}"),
        authorization: header("authorization").to_owned(),
        has_right_digest: header("x-amz-content-sha256") == sha256(&body),
        body: serde_json::from_slice(&body).expect("a JSON body"),
    });
    match received.refusal {
        Some((status, name)) => (status, [("x-amzn-errortype", name)]).into_response(),
        None => axum::Json(json!({ "MessageId": "0100-1" })).into_response(),
    }
}
