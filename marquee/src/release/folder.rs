//! Opens, verifies, and builds releases in folders.

use std::path::{Path, PathBuf};

use builder::sample;
use dataset::{Folder, MANIFEST, Part, ReleaseError};

use super::progress_bar::ProgressBar;
use crate::failure::Failure;

/// The default release folder of the local process.
pub const LOCAL_RELEASE: &str = ".local/release";

/// The default folder of releases of the local process. Every build creates a folder in it.
pub const LOCAL_RELEASES: &str = ".local/releases";

/// The reasons that a folder can't be used as a release or as source data.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error(
        "there is no release in {0}; run `marquee release build` to build the sample release (in \
         {LOCAL_RELEASE} by default)"
    )]
    Missing(PathBuf),
    #[error("the release in {folder} cannot be used: {source}")]
    Unusable { folder: PathBuf, source: ReleaseError },
    #[error("no source data in {0}; run the command in the repository's root folder, or set --data")]
    NoSourceData(PathBuf),
}

impl FolderError {
    /// Returns a function that adds the release's folder to an error.
    pub fn unusable(folder: &Path) -> impl FnOnce(ReleaseError) -> Self {
        let folder = folder.to_owned();
        |source| Self::Unusable { folder, source }
    }
}

/// Opens the release in a folder. Reads only the manifest.
pub fn open(path: &Path) -> Result<Folder, FolderError> {
    if !path.join(MANIFEST).exists() {
        return Err(FolderError::Missing(path.to_owned()));
    }
    Folder::open(path).map_err(FolderError::unusable(path))
}

/// Verifies the SHA-256 checksums of all files, and the references between the files.
pub fn check(folder: &Folder) -> Result<(), FolderError> {
    let checked = folder.verify(&Part::ALL).and_then(|()| dataset::check(folder));
    checked.map_err(FolderError::unusable(folder.path()))
}

/// Builds the sample release from the source data in `data`, and writes it to `out`. Shows a progress bar.
pub fn build_sample(data: &Path, out: &Path) -> Result<Folder, Failure> {
    if !data.is_dir() {
        return Err(FolderError::NoSourceData(data.to_owned()).into());
    }
    let bar = ProgressBar::start();
    Ok(sample::build(data, out, &|step, done, all| bar.show(step, done, all))?)
}
