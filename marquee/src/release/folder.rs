//! Opens, verifies, and builds a release in a folder.

use std::path::{Path, PathBuf};

use builder::sample;
use dataset::{Folder, MANIFEST, Part, ReleaseError};

use super::progress_bar::ProgressBar;
use crate::failure::Failure;

/// The default release folder of the local process.
pub const LOCAL_RELEASE: &str = ".local/release";

/// The reasons why a folder doesn't contain a usable release.
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
    /// Returns a function that adds the folder to an error of its release.
    pub fn unusable(folder: &Path) -> impl FnOnce(ReleaseError) -> Self {
        let folder = folder.to_owned();
        |source| Self::Unusable { folder, source }
    }
}

/// Opens the release in a folder. Reads only its manifest.
pub fn open(path: &Path) -> Result<Folder, FolderError> {
    if !path.join(MANIFEST).exists() {
        return Err(FolderError::Missing(path.to_owned()));
    }
    Folder::open(path).map_err(FolderError::unusable(path))
}

/// Verifies each file's SHA-256 checksum and the references between files.
pub fn check(folder: &Folder) -> Result<(), FolderError> {
    let checked = folder.verify(&Part::ALL).and_then(|()| dataset::check(folder));
    checked.map_err(FolderError::unusable(folder.path()))
}

/// Builds the sample release from the source data in `data`, and shows its progress.
pub fn build_sample(data: &Path, out: &Path) -> Result<Folder, Failure> {
    if !data.is_dir() {
        return Err(FolderError::NoSourceData(data.to_owned()).into());
    }
    let bar = ProgressBar::start();
    Ok(sample::build(data, out, &|step, done, all| bar.show(step, done, all))?)
}
