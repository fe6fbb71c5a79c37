//! Data releases in local folders, which `marquee serve` serves and `marquee release` manages.

mod folder;
mod progress_bar;

pub use folder::{FolderError, LOCAL_RELEASE, build_sample, check, open};
pub use progress_bar::ProgressBar;
