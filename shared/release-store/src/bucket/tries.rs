//! When a failed call is made again.

use std::time::Duration;

use tokio::time::sleep;

use super::error::BucketFailure;

/// How often something is tried in all.
const ATTEMPTS: u32 = 5;

/// The wait before the second try; it doubles from one to the next.
pub(super) const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The same wait for what nobody waits for within seconds: the operator's uploads.
pub(super) const FIRST_LONG_PAUSE: Duration = Duration::from_millis(500);

/// Tries something until it succeeds, fails for good, or has failed too often.
pub(super) async fn tried<T>(
    first_pause: Duration,
    mut attempt: impl AsyncFnMut() -> Result<T, BucketFailure>,
) -> Result<T, BucketFailure> {
    let mut pause = first_pause;
    for _ in 1..ATTEMPTS {
        match attempt().await {
            Err(BucketFailure::Unavailable(_)) => sleep(pause).await,
            done => return done,
        }
        pause *= 2;
    }
    attempt().await
}
