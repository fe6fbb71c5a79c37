//! The data release in a folder of this machine: what `marquee serve` starts on and `marquee release` works
//! on.

mod folder;
mod progress_bar;

pub use folder::{FolderError, LOCAL_RELEASE, build_sample, check, open};
pub use progress_bar::ProgressBar;
