//! The HTTP client for the SDK and for Marquee's own requests: HTTP/1.1 over TLS, or without TLS for a local
//! stand-in.
//!
//! The SDK's default client supports HTTP/2 and proxies. Functions use neither, because AWS answers the SDK
//! in HTTP/1.1 and a function has no proxy, but the extra code is a twentieth of a function's binary.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Mutex, PoisonError};
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
use http::Uri;
use hyper_rustls::{HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};
use hyper_util::client::legacy::{self, Client, connect};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::error::Elapsed;
use tokio::time::timeout;
use tower::ServiceExt;
use tower::util::BoxCloneSyncService;

use super::tls::tls_config;

/// Creates the SDK's HTTP client, which trusts only the root certificates of AWS.
pub fn https_client() -> SharedHttpClient {
    SharedHttpClient::new(ClientBySettings::default())
}

/// Creates a connector for Marquee's own requests over the same TLS, with a timeout for connecting.
pub fn https_connector(connect_timeout: Duration) -> SharedHttpConnector {
    SharedHttpConnector::new(PooledConnector::new(connect_timeout))
}

/// A connector provider that keeps one connection pool for each connect timeout that the SDK requests. The
/// SDK limits response times per operation and requests no other timeouts.
#[derive(Debug, Default)]
struct ClientBySettings(Mutex<HashMap<Duration, SharedHttpConnector>>);

impl HttpClient for ClientBySettings {
    fn http_connector(&self, settings: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        let connect_timeout = settings.connect_timeout().unwrap_or(Duration::MAX);
        let mut connectors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        connectors.entry(connect_timeout).or_insert_with(|| https_connector(connect_timeout)).clone()
    }
}

/// A service that opens connections: it resolves the name and negotiates TLS.
type Connect = BoxCloneSyncService<Uri, MaybeHttpsStream<TokioIo<TcpStream>>, BoxError>;

#[derive(Debug)]
struct PooledConnector(Client<Connect, SdkBody>);

impl PooledConnector {
    fn new(connect_timeout: Duration) -> Self {
        let mut tcp = connect::HttpConnector::new();
        tcp.enforce_http(false);
        // Without this, later small writes would wait for the acknowledgement of the first one.
        tcp.set_nodelay(true);
        let https = HttpsConnectorBuilder::new().with_tls_config(tls_config()).https_or_http().enable_http1();
        let connector = https
            .wrap_connector(tcp)
            .map_future(move |connecting| async move { timeout(connect_timeout, connecting).await? });
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_timer(TokioTimer::new());
        Self(builder.build(Connect::new(connector)))
    }
}

impl HttpConnector for PooledConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let mut request = match request.try_into_http1x() {
            Ok(request) => request,
            Err(error) => return HttpConnectorFuture::ready(Err(ConnectorError::user(error.into()))),
        };
        let connection = capture_connection(&mut request);
        // After an error, the SDK uses this to discard the connection.
        if let Some(capture) = request.extensions().get::<CaptureSmithyConnection>() {
            capture.set_connection_retriever(move || connection_metadata(&connection));
        }
        let answered = self.0.request(request);
        HttpConnectorFuture::new(async move {
            let answer = answered.await.map_err(connector_error)?;
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

/// Classifies a failure. The SDK retries timeouts and broken connections, but not requests that can't be
/// sent.
fn connector_error(error: legacy::Error) -> ConnectorError {
    if source::<Elapsed>(&error).is_some() {
        ConnectorError::timeout(error.into())
    } else if source(&error).is_some_and(hyper::Error::is_user) {
        ConnectorError::user(error.into())
    } else {
        ConnectorError::io(error.into())
    }
}

fn source<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    std::iter::successors(Some(error), |&error| error.source()).find_map(|error| error.downcast_ref())
}
