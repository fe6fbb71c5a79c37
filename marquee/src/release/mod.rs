//! Data releases in local folders.

mod folder;
mod progress_bar;

pub use folder::{FolderError, LOCAL_RELEASE, LOCAL_RELEASES, build_sample, check, open};
pub use progress_bar::ProgressBar;
