//! The patience of tests with programs.

use std::time::Duration;

/// How long a program may take for anything before its test fails.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Waits for what must end in time.
pub async fn in_time<F: IntoFuture>(future: F) -> F::Output {
    tokio::time::timeout(TIMEOUT, future.into_future()).await.expect("an end in time")
}
