//! The HTTP client of the SDK and of our own requests: HTTP/1.1, over TLS or, to a local stand-in, without.
//!
//! The SDK's own brings HTTP/2 and proxies, which are a twentieth of a function's binary and never at work in
//! one: AWS answers the SDK in HTTP/1.1, and a function has no proxy.

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

/// Makes the HTTP client of the SDK, which trusts AWS's own certificates alone.
pub fn https_client() -> SharedHttpClient {
    SharedHttpClient::new(ClientBySettings::default())
}

/// Makes a connector for requests of our own, over the same TLS, which gives up a connection that is not made
/// in time.
pub fn https_connector(connect_timeout: Duration) -> SharedHttpConnector {
    SharedHttpConnector::new(PooledConnector::new(connect_timeout))
}

/// Keeps one pool of connections for each connect timeout that the SDK asks for. It bounds answers by
/// operation, and asks for no other timeout.
#[derive(Debug, Default)]
struct ClientBySettings(Mutex<HashMap<Duration, SharedHttpConnector>>);

impl HttpClient for ClientBySettings {
    fn http_connector(&self, settings: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        let connect_timeout = settings.connect_timeout().unwrap_or(Duration::MAX);
        let mut connectors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        connectors.entry(connect_timeout).or_insert_with(|| https_connector(connect_timeout)).clone()
    }
}

/// Makes connections: finds the name, and agrees on TLS.
type Connect = BoxCloneSyncService<Uri, MaybeHttpsStream<TokioIo<TcpStream>>, BoxError>;

#[derive(Debug)]
struct PooledConnector(Client<Connect, SdkBody>);

impl PooledConnector {
    fn new(connect_timeout: Duration) -> Self {
        let mut tcp = connect::HttpConnector::new();
        tcp.enforce_http(false);
        // What is sent in several small writes would wait for the acknowledgement of the first.
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
        // The SDK leaves a connection on which something went wrong.
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

/// Says what kind of failure it was. The SDK retries a timeout and a broken connection alike, and never a
/// request that cannot be sent.
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
