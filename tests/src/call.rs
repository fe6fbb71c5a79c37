//! A builder for requests to the service. Every response is checked against the contract, except
//! those to HEAD and OPTIONS.

use std::net::{IpAddr, Ipv4Addr};

use axum::Router;
use axum::body::Body;
use gateway::ClientAddress;
use http::{HeaderName, HeaderValue, Method, Request};
use serde_json::Value;
use tower::ServiceExt;

use crate::{Answer, Contract, Sent, World};

/// A request under construction.
pub struct Call<'a> {
    world: &'a World,
    request: Request<Body>,
    address: IpAddr,
}

impl<'a> Call<'a> {
    /// Creates a request to a world's router from the client address 203.0.113.9.
    pub(crate) fn new(world: &'a World, method: Method, path: &str) -> Self {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).expect("a request");
        Self { world, request, address: IpAddr::V4(Ipv4Addr::new(203, 0, 113, 9)) }
    }

    /// Adds an API key in the `x-api-key` header.
    pub fn key(self, key: &str) -> Self {
        self.header("x-api-key", key)
    }

    /// Adds a bearer token in the `authorization` header.
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// Adds a header.
    pub fn header(self, name: &str, value: &str) -> Self {
        self.header_bytes(name, value.as_bytes())
    }

    /// Adds a header whose value can be any bytes.
    pub fn header_bytes(mut self, name: &str, value: &[u8]) -> Self {
        let name: HeaderName = name.parse().expect("a header name");
        self.request.headers_mut().append(name, HeaderValue::from_bytes(value).expect("a header value"));
        self
    }

    /// Sets the client's address.
    pub fn from(mut self, address: &str) -> Self {
        self.address = address.parse().expect("an address");
        self
    }

    /// Adds a JSON body.
    pub fn json(self, body: &Value) -> Self {
        self.bytes("application/json", body.to_string())
    }

    /// Adds a body with the given content type.
    pub fn bytes(self, content_type: &str, body: impl Into<Body>) -> Self {
        let mut call = self.header("content-type", content_type);
        *call.request.body_mut() = body.into();
        call
    }

    /// Sends the request and checks the response against the contract. The future doesn't borrow from the
    /// call, so it can be spawned.
    pub fn send(self) -> impl Future<Output = Answer> + Send + use<> {
        let router = self.world.router();
        self.send_to(router)
    }

    /// Sends the request to the given router, such as another process's, and checks the response against the
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

    /// Schedules the request: just before the first database request that `picks` selects, sends this request
    /// to another process, and checks that the response has the given status.
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
