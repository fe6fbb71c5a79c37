//! Opens, verifies, and builds releases in folders.

use std::path::{Path, PathBuf};

use builder::build::{Build, BuildError, Built, Rejects, SourceList, build};
use dataset::{Folder, MANIFEST, Part, ReleaseError};

use super::progress_bar::ProgressBar;
use crate::failure::Failure;

/// The default folder for local releases.
pub const LOCAL_RELEASES: &str = ".local/releases";

/// The local process's default release.
pub const LOCAL_RELEASE: &str = ".local/releases/latest";

/// The name of the cache folder for builds, which is in the folder of releases.
pub const CACHE: &str = ".cache";

/// The folder with the public sample's source data.
pub const SAMPLE_DATA: &str = "data";

/// The public sample's list of sources.
pub const SAMPLE_LIST: &str = "data/release.toml";

/// The reason that a folder can't be used as a release or as source data.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error(
        "there is no release in {0}; run `marquee release build` to build the sample release (in \
         {LOCAL_RELEASES} by default)"
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

/// Opens the release in a folder and reads only its manifest. Resolves a symbolic link such as `latest` only
/// once, so that a concurrent build can't cause a mix of two releases.
pub fn open(path: &Path) -> Result<Folder, FolderError> {
    if !path.join(MANIFEST).exists() {
        return Err(FolderError::Missing(path.to_owned()));
    }
    let folder = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    Folder::open(&folder).map_err(FolderError::unusable(path))
}

/// Verifies all files' SHA-256 checksums, and the references between the files.
pub fn check(folder: &Folder) -> Result<(), FolderError> {
    let checked = folder.verify(&Part::ALL).and_then(|()| dataset::check(folder));
    checked.map_err(FolderError::unusable(folder.path()))
}

/// Reads a list of sources. `data` is the folder with the public sample's source data.
pub fn read_list(list: &Path, data: &Path) -> Result<SourceList, Failure> {
    if !data.is_dir() {
        return Err(FolderError::NoSourceData(data.to_owned()).into());
    }
    Ok(SourceList::read(list, data).map_err(BuildError::from)?)
}

/// Builds the public sample in the default folder for releases and shows a progress bar.
pub fn build_sample() -> Result<Folder, Failure> {
    let (data, releases) = (Path::new(SAMPLE_DATA), Path::new(LOCAL_RELEASES));
    let list = read_list(Path::new(SAMPLE_LIST), data)?;
    let bar = ProgressBar::start();
    let progress: dataset::Progress<'_> = &|step, done, all| bar.show(step, done, all);
    let (cache, accepted) = (releases.join(CACHE), []);
    let sample = Build {
        list: &list,
        data,
        releases,
        cache: &cache,
        against: None,
        accepted: &accepted,
        today: "",
        progress,
    };
    // The sample doesn't contain invalid rows.
    let Built { folder, .. } = build(sample, &mut Rejects::default())?;
    Ok(folder)
}
