//! Data releases in local folders.

mod folder;
mod progress_bar;

pub use folder::{
    CACHE, FolderError, LOCAL_RELEASE, LOCAL_RELEASES, SAMPLE_DATA, SAMPLE_LIST, build_sample, check, open,
    read_list,
};
pub use progress_bar::ProgressBar;
