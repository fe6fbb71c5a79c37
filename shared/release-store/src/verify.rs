//! Verifies a release's files against the manifest's checksums on separate threads.

use dataset::{Folder, Part, ReleaseError};
use futures_util::future::join_all;

/// Verifies parts concurrently, each on its own thread.
pub(crate) async fn verify(folder: &Folder, parts: &[Part]) -> Result<(), ReleaseError> {
    let each = parts.iter().map(|part| {
        let (folder, part) = (folder.clone(), *part);
        blocking(move || folder.verify(&[part]))
    });
    join_all(each).await.into_iter().collect()
}

/// Runs a blocking function on a separate thread, and propagates its panic, if any.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
