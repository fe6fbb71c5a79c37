//! Verifies the files of a release against the checksums in the manifest, on separate threads.

use dataset::{Folder, Part, ReleaseError};
use futures_util::future::join_all;

/// Verifies parts concurrently, each on a separate thread.
pub(crate) async fn verify(folder: &Folder, parts: &[Part]) -> Result<(), ReleaseError> {
    let each = parts.iter().map(|part| {
        let (folder, part) = (folder.clone(), *part);
        blocking(move || folder.verify(&[part]))
    });
    join_all(each).await.into_iter().collect()
}

/// Runs a blocking function on a separate thread. If the function panics, the panic is propagated.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
