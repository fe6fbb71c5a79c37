//! The HTTP client for the AWS SDK and for Marquee's own requests. It uses HTTP/1.1 over TLS, or without TLS
//! for a local stand-in.
//!
//! The SDK's default client also supports HTTP/2 and proxies, which would take up 5% of a function's binary.
//! Functions need neither, because they don't use a proxy and AWS responds to the SDK in HTTP/1.1.

use std::error::Error;
use std::time::Duration;

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use http::Uri;
use hyper_rustls::{HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::{self, Client, connect};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::time::error::Elapsed;
use tokio::time::timeout;
use tower::ServiceExt;
use tower::util::BoxCloneSyncService;

use super::tls::aws_tls_config;

/// The timeout for opening a connection to AWS. The SDK has a separate timeout for each attempt.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Creates the SDK's HTTP client, which trusts only AWS root certificates.
pub fn https_client() -> SharedHttpClient {
    let connector = https_connector(CONNECT_TIMEOUT);
    http_client_fn(move |_, _| connector.clone())
}

/// Creates a connector for Marquee's own requests, with the same TLS settings as the SDK's client.
pub fn https_connector(connect_timeout: Duration) -> SharedHttpConnector {
    SharedHttpConnector::new(PooledConnector::new(connect_timeout))
}

/// A service that opens a connection. It resolves the host name, connects, and negotiates TLS.
type Connect = BoxCloneSyncService<Uri, MaybeHttpsStream<TokioIo<TcpStream>>, BoxError>;

#[derive(Debug)]
struct PooledConnector(Client<Connect, SdkBody>);

impl PooledConnector {
    fn new(connect_timeout: Duration) -> Self {
        let mut tcp = connect::HttpConnector::new();
        tcp.enforce_http(false);
        // Without `TCP_NODELAY`, each small write would wait until the previous one is acknowledged.
        tcp.set_nodelay(true);
        let https =
            HttpsConnectorBuilder::new().with_tls_config(aws_tls_config()).https_or_http().enable_http1();
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
        let request = match request.try_into_http1x() {
            Ok(request) => request,
            Err(error) => return HttpConnectorFuture::ready(Err(ConnectorError::user(error.into()))),
        };
        let answered = self.0.request(request);
        HttpConnectorFuture::new(async move {
            let answer = answered.await.map_err(connector_error)?;
            HttpResponse::try_from(answer.map(SdkBody::from_body_1_x))
                .map_err(|error| ConnectorError::other(error.into(), None))
        })
    }
}

/// Classifies a failure for the SDK, which retries timeouts and broken connections, but not invalid requests.
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
