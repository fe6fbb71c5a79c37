//! `marquee release list`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use accounting::Timestamp;
use builder::LATEST;
use clap::Args;
use dataset::{Folder, MANIFEST, Manifest, ReleaseError};
use release_store::ListedRelease;

use super::location::BucketArgs;
use crate::failure::Failure;
use crate::output::{OutputError, print_line};
use crate::release::LOCAL_RELEASES;

/// The arguments of `marquee release list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// The releases: a folder of releases, or s3://BUCKET.
    #[arg(value_name = "RELEASES", default_value = LOCAL_RELEASES)]
    releases: ReleasesLocation,
    #[command(flatten)]
    bucket: BucketArgs,
}

/// A folder or a bucket that contains releases.
#[derive(Clone, Debug)]
enum ReleasesLocation {
    Bucket(String),
    Folder(PathBuf),
}

/// The reason that a folder or bucket can't be listed.
#[derive(Debug, thiserror::Error)]
enum ListError {
    #[error("must be a folder of releases, or `s3://` followed by a bucket, such as `s3://releases`")]
    InvalidLocation,
    #[error("there is no folder {0}; run `marquee release build` to build a release")]
    Missing(PathBuf),
    #[error(
        "{} is a release; to show its contents, run `marquee release inspect {}`",
        .0.display(), .0.display()
    )]
    IsRelease(PathBuf),
    #[error("cannot list the releases in {}: {source}", folder.display())]
    Unreadable { folder: PathBuf, source: io::Error },
}

/// A line in the list of releases.
struct Row {
    name: String,
    /// The manifest, or why the release can't be used.
    manifest: Result<Manifest, ReleaseError>,
    /// When the manifest was written or published, in RFC 3339 format.
    written: String,
    bytes: u64,
    is_latest: bool,
}

impl FromStr for ReleasesLocation {
    type Err = ListError;

    fn from_str(text: &str) -> Result<Self, ListError> {
        let Some((scheme, bucket)) = text.split_once("://") else {
            return if text.is_empty() {
                Err(ListError::InvalidLocation)
            } else {
                Ok(Self::Folder(text.into()))
            };
        };
        let bucket = bucket.strip_suffix('/').unwrap_or(bucket);
        if scheme != "s3" || bucket.is_empty() || bucket.contains('/') {
            return Err(ListError::InvalidLocation);
        }
        Ok(Self::Bucket(bucket.to_owned()))
    }
}

impl ListArgs {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let Self { releases, bucket } = self;
        let (rows, place, verb) = match releases {
            ReleasesLocation::Folder(path) => (in_folder(&path)?, path.display().to_string(), "written"),
            ReleasesLocation::Bucket(name) => {
                let listed = release_store::list(&bucket.connect(&name).await?).await?;
                (listed.into_iter().map(Row::from).collect(), format!("s3://{name}"), "published")
            }
        };
        Ok(print(rows, &place, verb)?)
    }
}

impl From<ListedRelease> for Row {
    fn from(release: ListedRelease) -> Self {
        let ListedRelease { name, manifest, published, bytes } = release;
        Self { name, manifest, written: published, bytes, is_latest: false }
    }
}

/// Returns the releases in a folder and ignores other files and folders.
fn in_folder(path: &Path) -> Result<Vec<Row>, ListError> {
    if path.join(MANIFEST).exists() {
        return Err(ListError::IsRelease(path.to_owned()));
    }
    let unreadable = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => ListError::Missing(path.to_owned()),
        _ => ListError::Unreadable { folder: path.to_owned(), source },
    };
    let latest = path.join(LATEST).canonicalize().ok();
    let mut rows = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let is_folder = entry.file_type().map_err(unreadable)?.is_dir();
        let Some(metadata) = entry.path().join(MANIFEST).metadata().ok().filter(|_| is_folder) else {
            continue;
        };
        let manifest = Folder::open(&entry.path()).map(|folder| folder.manifest().clone());
        let bytes = |manifest: &Manifest| manifest.files.values().map(|file| file.bytes).sum();
        rows.push(Row {
            name: entry.file_name().to_string_lossy().into_owned(),
            written: Timestamp::from_system(metadata.modified().map_err(unreadable)?).to_string(),
            bytes: manifest.as_ref().map_or(0, bytes),
            manifest,
            is_latest: entry.path().canonicalize().ok() == latest && latest.is_some(),
        });
    }
    Ok(rows)
}

/// Prints a line for each release, newest first.
fn print(mut rows: Vec<Row>, place: &str, verb: &str) -> Result<(), OutputError> {
    if rows.is_empty() {
        return print_line(format_args!("there are no releases in {place}"));
    }
    rows.sort_by(|one, other| (&other.written, &one.name).cmp(&(&one.written, &other.name)));
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for Row { name, manifest, written, bytes, is_latest } in rows {
        match manifest {
            Ok(manifest) => {
                let (maturity, megabytes) = (manifest.maturity.to_string(), bytes as f64 / 1e6);
                let latest = if is_latest { "  latest" } else { "" };
                print_line(format_args!(
                    "{name:width$}  {maturity:16}  {verb} {written}  {megabytes:>8.1} MB{latest}"
                ))?;
            }
            Err(error) => print_line(format_args!("{name:width$}  cannot be used: {error}"))?,
        }
    }
    Ok(())
}
