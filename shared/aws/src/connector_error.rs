//! What the SDK is told of a request that failed, on which it decides whether to try again.

use std::error::Error;
use std::io;

use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::retry::ErrorKind;
use hyper_util::client::legacy;
use tokio::time::error::Elapsed;

/// Says what kind of failure it was, as the SDK's own client does.
pub(super) fn connector_error(error: legacy::Error) -> ConnectorError {
    let is_connect = error.is_connect();
    if has_source::<Elapsed>(&error) {
        return ConnectorError::timeout(error.into());
    }
    match source::<hyper::Error>(&error) {
        Some(sent) if sent.is_timeout() => ConnectorError::timeout(error.into()),
        Some(sent) if sent.is_user() => ConnectorError::user(error.into()),
        Some(sent) if sent.is_closed() || sent.is_canceled() || has_source::<io::Error>(sent) => {
            ConnectorError::io(error.into())
        }
        // The other side closed the connection just when it was used again.
        Some(sent) if sent.is_incomplete_message() => {
            ConnectorError::other(error.into(), Some(ErrorKind::TransientError))
        }
        None if is_connect || has_source::<io::Error>(&error) => ConnectorError::io(error.into()),
        _ => ConnectorError::other(error.into(), None),
    }
}

fn has_source<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    source::<E>(error).is_some()
}

fn source<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    std::iter::successors(Some(error), |&error| error.source()).find_map(|error| error.downcast_ref())
}
