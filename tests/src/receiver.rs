//! A local webhook receiver that records deliveries and responds with chosen statuses.

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::{HeaderMap, StatusCode};
use ring::hmac;
use serde_json::Value;

pub struct Receiver {
    /// The URL to create the webhook with.
    pub url: String,
    state: Arc<Mutex<Received>>,
}

#[derive(Clone, Debug)]
pub struct ReceivedDelivery {
    pub headers: HeaderMap,
    /// The body exactly as received, which the signature covers.
    pub body: Bytes,
}

#[derive(Default)]
struct Received {
    deliveries: Vec<ReceivedDelivery>,
    /// The statuses of the next responses. Later responses have status 204.
    statuses: VecDeque<u16>,
}

impl Receiver {
    pub async fn start() -> Self {
        let state = Arc::<Mutex<Received>>::default();
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let url = format!("http://{}/marquee", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(receive).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, state }
    }

    /// Sets the statuses of the next responses. Later responses have status 204.
    pub fn respond_with(&self, statuses: &[u16]) {
        self.state().statuses = statuses.iter().copied().collect();
    }

    /// Returns the deliveries received since the last call of `take`.
    pub fn take(&self) -> Vec<ReceivedDelivery> {
        std::mem::take(&mut self.state().deliveries)
    }

    fn state(&self) -> MutexGuard<'_, Received> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReceivedDelivery {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}")).to_str().expect("ASCII")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// Returns whether one of the delivery's signatures was created with this secret, which starts with
    /// `whsec_`.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").expect("a secret")).expect("Base64");
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        let start = format!("{}.{}.", self.header("webhook-id"), self.header("webhook-timestamp"));
        let signed = [start.as_bytes(), &self.body].concat();
        let expected = format!("v1,{}", BASE64_STANDARD.encode(hmac::sign(&key, &signed)));
        self.header("webhook-signature").split(' ').any(|signature| signature == expected)
    }
}

async fn receive(State(state): State<Arc<Mutex<Received>>>, headers: HeaderMap, body: Bytes) -> Response {
    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
    state.deliveries.push(ReceivedDelivery { headers, body });
    let status = state.statuses.pop_front().unwrap_or(204);
    let location = [("location", "http://127.0.0.1:1/elsewhere")];
    (StatusCode::from_u16(status).expect("a status"), location).into_response()
}
