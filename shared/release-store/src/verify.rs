//! Files of a release held to their manifest's sums, off the threads that answer.

use dataset::{Folder, Part, ReleaseError};
use futures_util::future::join_all;

/// Verifies parts side by side, each on a thread of its own.
pub(crate) async fn verify(folder: &Folder, parts: &[Part]) -> Result<(), ReleaseError> {
    let each = parts.iter().map(|part| {
        let (folder, part) = (folder.clone(), *part);
        blocking(move || folder.verify(&[part]))
    });
    join_all(each).await.into_iter().collect()
}

/// Runs work that blocks on a thread for it; a panic there is one here.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
