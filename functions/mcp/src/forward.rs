//! Forwards requests to the API's public address.

use std::error::Error as _;
use std::time::Duration;

use aws::https_connector;
use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use http::{HeaderValue, Request, StatusCode};
use http_body_util::BodyExt;
use hyper_util::client::legacy;
use thiserror::Error;
use tokio::time::timeout;

/// The timeout for opening a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: String,
}

/// The reason a request got no response.
#[derive(Debug, Error)]
pub(crate) enum NoAnswer {
    #[error("the service could not be reached; nothing was charged; try again")]
    Unreachable,
    #[error(
        "the service did not respond in time, so the call may have taken effect; if it has an \
         `idempotency_key`, repeat it with the same key; otherwise, check whether it took effect before you \
         repeat it"
    )]
    Late,
}

/// Sends requests to the API. Connections are reused.
#[derive(Clone, Debug)]
pub(crate) struct Forwarder {
    connector: SharedHttpConnector,
    time_limit: Duration,
}

impl Forwarder {
    pub(crate) fn new(time_limit: Duration) -> Self {
        Self { connector: https_connector(CONNECT_TIMEOUT), time_limit }
    }

    /// Sends a request and returns the response.
    pub(crate) async fn send(&self, mut request: Request<String>) -> Result<Answer, NoAnswer> {
        let agent = HeaderValue::from_static(concat!("marquee-mcp/", env!("CARGO_PKG_VERSION")));
        request.headers_mut().insert(http::header::USER_AGENT, agent);
        let request = HttpRequest::try_from(request.map(SdkBody::from)).expect("header values are ASCII");
        let answer = timeout(self.time_limit, async {
            let response = self.connector.call(request).await.map_err(|error| {
                tracing::warn!(event = "forwarding_failed", %error);
                if was_not_sent(&error) { NoAnswer::Unreachable } else { NoAnswer::Late }
            })?;
            let status =
                StatusCode::from_u16(response.status().as_u16()).expect("a response has a valid status");
            let body = response.into_body().collect().await.map_err(|_| NoAnswer::Late)?.to_bytes();
            Ok(Answer { status, body: String::from_utf8_lossy(&body).into_owned() })
        });
        answer.await.unwrap_or(Err(NoAnswer::Late))
    }
}

/// Returns whether the request wasn't sent because the connection couldn't be opened.
fn was_not_sent(error: &ConnectorError) -> bool {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    error.is_timeout()
        || causes.filter_map(|cause| cause.downcast_ref::<legacy::Error>()).any(legacy::Error::is_connect)
}
