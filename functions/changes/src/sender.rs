//! The HTTP client that sends deliveries. It connects only to allowed addresses and doesn't follow redirects
//! or read the bodies of responses.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use aws::tls_config;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::uri::Scheme;
use http::{Method, Request, StatusCode, Uri};
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::TokioExecutor;
use rustls::RootCertStore;
use thiserror::Error;
use tokio::time::timeout;
use tower::Service;

use crate::address::is_public;
use crate::signature::signatures;

/// The time limit for a receiver, from the lookup of its host name to the headers of its response.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The addresses that deliveries can be sent to.
#[derive(Clone, Debug)]
pub enum Destinations {
    /// Only public addresses, over HTTPS on port 443.
    Public(Lookup),
    /// Also HTTP servers on this machine, for development.
    Local,
}

/// The resolver for host names.
#[derive(Clone)]
pub enum Lookup {
    /// The system's resolver.
    System,
    /// A function, for tests.
    Function(Arc<Answers>),
}

/// A function that returns the addresses of a host name.
type Answers = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

/// The client that sends deliveries. It connects only to allowed addresses.
#[derive(Clone, Debug)]
pub struct Sender {
    client: Client<HttpsConnector<HttpConnector<CheckedLookup>>, Full<Bytes>>,
    destinations: Destinations,
    time_limit: Duration,
}

/// The reason a delivery got no response. The messages are shown to owners.
#[derive(Clone, Debug, Error)]
pub enum SendError {
    /// The scheme or port of the URL isn't allowed, or the URL contains user information or an IP address.
    #[error("the URL isn't allowed; it must be an https URL with a host name and no port other than 443")]
    Url,
    /// The host name couldn't be resolved.
    #[error("cannot resolve the host name \"{0}\"")]
    UnknownHost(String),
    /// One of the host name's addresses isn't allowed.
    #[error("the host name \"{0}\" resolves to an address that isn't public")]
    NotPublic(String),
    /// The connection or its TLS handshake failed.
    #[error("cannot connect: {0}")]
    NotConnected(String),
    /// The connection was closed, or its data isn't an HTTP response.
    #[error("no valid HTTP response: {0}")]
    NoResponse(String),
    /// The receiver didn't respond in time.
    #[error("no response within {} seconds", TIME_LIMIT.as_secs())]
    TooSlow,
}

/// Resolves host names and rejects a name if any of its addresses isn't allowed. The client connects only to
/// the addresses that were checked.
#[derive(Clone, Debug)]
struct CheckedLookup(Destinations);

impl Sender {
    /// Creates a sender that opens a new connection for each delivery.
    pub fn new(destinations: Destinations) -> Self {
        let mut tcp = HttpConnector::new_with_resolver(CheckedLookup(destinations.clone()));
        tcp.enforce_http(false);
        let trusted = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        let tls = tls_config(trusted);
        let https = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
        // Reusing a connection would bypass the address check.
        let client =
            Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(https.wrap_connector(tcp));
        Self { client, destinations, time_limit: TIME_LIMIT }
    }

    /// Sends a signed message and returns the status of the response. `keys` contains the signing keys,
    /// newest first.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL or an address of its host isn't allowed, the host is unknown, the
    /// connection fails, or there is no valid response within 10 seconds.
    pub async fn send(
        &self,
        url: &Uri,
        id: &str,
        unix_seconds: i64,
        keys: &[&[u8]],
        body: String,
    ) -> Result<StatusCode, SendError> {
        self.check(url)?;
        let request = Request::builder()
            .method(Method::POST)
            .uri(url)
            .header("content-type", "application/json")
            .header("user-agent", "Marquee-Webhooks")
            .header("webhook-id", id)
            .header("webhook-timestamp", unix_seconds)
            .header("webhook-signature", signatures(id, unix_seconds, &body, keys))
            .body(Full::from(body))
            .map_err(|_| SendError::Url)?;
        match timeout(self.time_limit, self.client.request(request)).await {
            Ok(Ok(response)) => Ok(response.status()),
            Ok(Err(error)) => Err(SendError::of(&error)),
            Err(_) => Err(SendError::TooSlow),
        }
    }

    /// Checks whether deliveries can be sent to a URL. IP addresses must be rejected here, even though the
    /// URL was checked when it was stored, because `CheckedLookup` is called only for host names.
    fn check(&self, url: &Uri) -> Result<(), SendError> {
        let (Some(host), Some(authority)) = (url.host(), url.authority()) else { return Err(SendError::Url) };
        let authority = authority.as_str();
        let is_here = self.destinations.include_local(host);
        // `port_u16` is `None` for a port that isn't a number below 65536, so the text is compared.
        let is_https = url.scheme() == Some(&Scheme::HTTPS)
            && (authority == host || authority.strip_prefix(host) == Some(":443"))
            && host.trim_matches(['[', ']']).parse::<IpAddr>().is_err()
            && !is_here;
        let is_local = is_here && url.scheme() == Some(&Scheme::HTTP) && !authority.contains('@');
        if is_https || is_local { Ok(()) } else { Err(SendError::Url) }
    }
}

impl SendError {
    /// Returns the [`SendError`] among an error's causes. If there isn't one, creates it from the last cause.
    fn of(error: &legacy::Error) -> Self {
        let first = error as &(dyn Error + 'static);
        let causes: Vec<_> = std::iter::successors(Some(first), |&cause| cause.source()).collect();
        let refusal = causes.iter().find_map(|cause| cause.downcast_ref::<Self>().cloned());
        let last = causes.last().map(ToString::to_string).unwrap_or_default();
        refusal.unwrap_or(if error.is_connect() { Self::NotConnected(last) } else { Self::NoResponse(last) })
    }
}

impl Service<Name> for CheckedLookup {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = SendError;
    type Future = BoxFuture<'static, Result<Self::Response, SendError>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), SendError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let (destinations, host) = (self.0.clone(), name.as_str().to_owned());
        Box::pin(async move {
            let addresses = destinations.addresses(&host).await?;
            let is_local = destinations.include_local(&host);
            let is_allowed =
                |address: &IpAddr| if is_local { address.is_loopback() } else { is_public(*address) };
            if !addresses.iter().all(is_allowed) {
                return Err(SendError::NotPublic(host));
            }
            // The connector replaces the port.
            let checked: Vec<_> = addresses.into_iter().map(|address| (address, 0).into()).collect();
            Ok(checked.into_iter())
        })
    }
}

impl Destinations {
    /// Returns whether a host is this machine and local destinations are allowed.
    fn include_local(&self, host: &str) -> bool {
        matches!(self, Self::Local) && ["127.0.0.1", "localhost"].contains(&host)
    }

    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, SendError> {
        let found: Vec<IpAddr> = match self {
            Self::Public(Lookup::Function(look_up)) => look_up(host),
            Self::Public(Lookup::System) | Self::Local => {
                let found = tokio::net::lookup_host((host, 0)).await;
                found.map_err(|_| SendError::UnknownHost(host.to_owned()))?.map(|found| found.ip()).collect()
            }
        };
        if found.is_empty() { Err(SendError::UnknownHost(host.to_owned())) } else { Ok(found) }
    }
}

impl fmt::Debug for Lookup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::System => "System",
            Self::Function(_) => "Function",
        })
    }
}

#[cfg(test)]
mod tests;
