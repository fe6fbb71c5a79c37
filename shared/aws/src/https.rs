//! The HTTP client of the SDK and of our own requests: HTTP/1.1, over TLS or, to a local stand-in, without.
//!
//! The SDK's own brings HTTP/2 and proxies, which are a twentieth of a function's binary and never at work in
//! one: AWS answers the SDK in HTTP/1.1, and a function has no proxy.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::connection::{CaptureSmithyConnection, ConnectionMetadata};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
    SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use futures_util::future::BoxFuture;
use http::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};
use hyper_util::client::legacy::{Client, connect};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tower::Service;

use super::connector_error::connector_error;
use super::tls::tls_config;

/// Makes the HTTP client of the SDK, which trusts AWS's own certificates alone.
pub fn https_client() -> SharedHttpClient {
    SharedHttpClient::new(ClientBySettings::default())
}

/// Makes a connector for requests of our own, over the same TLS, which gives up a connection that is not made
/// in time.
pub fn https_connector(connect_timeout: Duration) -> SharedHttpConnector {
    SharedHttpConnector::new(PooledConnector::new(Timeouts { connect: Some(connect_timeout), read: None }))
}

/// How long a connection may take, and how long the head of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Timeouts {
    connect: Option<Duration>,
    read: Option<Duration>,
}

/// Keeps one pool of connections for each pair of timeouts that the SDK asks for.
#[derive(Debug, Default)]
struct ClientBySettings(Mutex<HashMap<Timeouts, SharedHttpConnector>>);

impl HttpClient for ClientBySettings {
    fn http_connector(&self, settings: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        let timeouts = Timeouts { connect: settings.connect_timeout(), read: settings.read_timeout() };
        let mut connectors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || SharedHttpConnector::new(PooledConnector::new(timeouts));
        connectors.entry(timeouts).or_insert_with(made).clone()
    }
}

#[derive(Debug)]
struct PooledConnector {
    client: Client<TimedConnector, SdkBody>,
    read_timeout: Option<Duration>,
}

impl PooledConnector {
    fn new(timeouts: Timeouts) -> Self {
        let mut tcp = connect::HttpConnector::new();
        tcp.enforce_http(false);
        // What is sent in several small writes would wait for the acknowledgement of the first.
        tcp.set_nodelay(true);
        let https = HttpsConnectorBuilder::new().with_tls_config(tls_config()).https_or_http().enable_http1();
        let connector = TimedConnector { inner: https.wrap_connector(tcp), timeout: timeouts.connect };
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_timer(TokioTimer::new());
        Self { client: builder.build(connector), read_timeout: timeouts.read }
    }
}

impl HttpConnector for PooledConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let mut request = match request.try_into_http1x() {
            Ok(request) => request,
            Err(error) => return HttpConnectorFuture::ready(Err(ConnectorError::user(error.into()))),
        };
        let connection = capture_connection(&mut request);
        // The SDK leaves a connection on which something went wrong.
        if let Some(capture) = request.extensions().get::<CaptureSmithyConnection>() {
            capture.set_connection_retriever(move || connection_metadata(&connection));
        }
        let answered = self.client.request(request);
        let read_timeout = self.read_timeout;
        HttpConnectorFuture::new(async move {
            let answer = match read_timeout {
                Some(limit) => tokio::time::timeout(limit, answered)
                    .await
                    .map_err(|late| ConnectorError::timeout(late.into()))?,
                None => answered.await,
            };
            let answer = answer.map_err(connector_error)?;
            HttpResponse::try_from(answer.map(SdkBody::from_body_1_x))
                .map_err(|error| ConnectorError::other(error.into(), None))
        })
    }
}

fn connection_metadata(connection: &CaptureConnection) -> Option<ConnectionMetadata> {
    connection.connection_metadata().as_ref()?;
    let connection = connection.clone();
    let poison = move || {
        if let Some(connected) = connection.connection_metadata().as_ref() {
            connected.poison();
        }
    };
    Some(ConnectionMetadata::builder().proxied(false).poison_fn(poison).build())
}

/// Makes connections, and gives up one that is not made in time: its name found, its TLS agreed on.
#[derive(Clone, Debug)]
struct TimedConnector {
    inner: HttpsConnector<connect::HttpConnector>,
    timeout: Option<Duration>,
}

impl Service<Uri> for TimedConnector {
    type Response = MaybeHttpsStream<TokioIo<TcpStream>>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.inner.call(uri);
        match self.timeout {
            Some(limit) => Box::pin(async move { tokio::time::timeout(limit, connecting).await? }),
            None => Box::pin(connecting),
        }
    }
}
