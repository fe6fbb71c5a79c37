//! Builds requests to the service. Every response is checked against the contract, except responses to HEAD
//! and OPTIONS.

use std::net::{IpAddr, Ipv4Addr};

use axum::Router;
use axum::body::Body;
use gateway::ClientAddress;
use http::{HeaderName, HeaderValue, Method, Request};
use serde_json::Value;
use tower::ServiceExt;

use crate::{Answer, Contract, Sent, World};

/// A request to a [`World`], and the client address that it comes from.
pub struct Call<'a> {
    world: &'a World,
    request: Request<Body>,
    address: IpAddr,
}

impl<'a> Call<'a> {
    /// Starts a request to the world's router from the client address 203.0.113.9.
    pub(crate) fn new(world: &'a World, method: Method, path: &str) -> Self {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).expect("a request");
        Self { world, request, address: IpAddr::V4(Ipv4Addr::new(203, 0, 113, 9)) }
    }

    pub fn key(self, key: &str) -> Self {
        self.header("x-api-key", key)
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        self.header_bytes(name, value.as_bytes())
    }

    /// Adds a header whose value doesn't have to be valid UTF-8.
    pub fn header_bytes(mut self, name: &str, value: &[u8]) -> Self {
        let name: HeaderName = name.parse().expect("a header name");
        self.request.headers_mut().append(name, HeaderValue::from_bytes(value).expect("a header value"));
        self
    }

    pub fn from(mut self, address: &str) -> Self {
        self.address = address.parse().expect("an address");
        self
    }

    pub fn json(self, body: &Value) -> Self {
        self.bytes("application/json", body.to_string())
    }

    pub fn bytes(self, content_type: &str, body: impl Into<Body>) -> Self {
        let mut call = self.header("content-type", content_type);
        *call.request.body_mut() = body.into();
        call
    }

    /// Sends the request to the world's router and checks the response against the contract. The future
    /// doesn't borrow from the call, so it can be spawned.
    pub fn send(self) -> impl Future<Output = Answer> + Send + use<> {
        let router = self.world.router();
        self.send_to(router)
    }

    /// Sends the request to a given router, such as another process's, and checks the response against the
    /// contract.
    pub fn send_to(self, router: Router) -> impl Future<Output = Answer> + Send + use<> {
        let Self { mut request, address, .. } = self;
        request.extensions_mut().insert(ClientAddress(address));
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        async move {
            let response = router.oneshot(request).await.expect("infallible");
            let answer = Answer::read(response).await;
            if method != Method::HEAD && method != Method::OPTIONS {
                Contract::get().check(&method, &path, &answer);
            }
            answer
        }
    }

    /// Schedules this request to be sent to another process just before the first database request that
    /// `picks` selects, and checks the status of its response.
    pub async fn send_before(self, picks: impl FnMut(&Sent) -> bool + Send + 'static, status: u16) {
        let world = self.world;
        let (_, router) = world.another_process(world.app.random.below(u64::MAX)).await;
        let answer = self.send_to(router);
        world.wire.before_first(picks, async move {
            let answer = answer.await;
            assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
        });
    }
}
