//! A time limit for steps of the programs that tests run.

use std::time::Duration;

/// The time limit for one step.
const TIMEOUT: Duration = Duration::from_secs(180);

/// Awaits a future. Panics if it takes more than three minutes.
pub async fn in_time<F: IntoFuture>(future: F) -> F::Output {
    tokio::time::timeout(TIMEOUT, future.into_future()).await.expect("the step finishes within three minutes")
}
