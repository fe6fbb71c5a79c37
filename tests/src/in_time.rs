//! Limits how long a test waits for another program.

use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(180);

/// Awaits a future. Panics after three minutes.
pub async fn in_time<F: IntoFuture>(future: F) -> F::Output {
    tokio::time::timeout(TIMEOUT, future.into_future()).await.expect("the step finishes within three minutes")
}
