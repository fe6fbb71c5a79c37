//! `marquee release`.

mod build;
mod diff;
mod ids;
mod inspect;
mod list;
mod location;
mod propose_map;
mod publish;
mod synthesize;
mod verify;

use clap::Subcommand;

use crate::failure::Failure;
use build::BuildArgs;
use diff::DiffArgs;
use ids::IdsArgs;
use list::ListArgs;
use location::ReleaseArg;
use propose_map::ProposeMapArgs;
use publish::PublishArgs;
use synthesize::SynthesizeArgs;

pub use build::{BuildWithRejects, BuiltWithNotices};

/// A subcommand of `marquee release`.
#[derive(Debug, Subcommand)]
pub enum ReleaseCommand {
    /// Build a release from a list of sources.
    ///
    /// The exit status is 0 if the release was built, 4 if it was built with notices, 3 if a guard stopped
    /// the build, and 1 if the sources can't be used.
    Build(BuildArgs),
    /// Propose a column map for a file, for you to review and correct.
    ProposeMap(ProposeMapArgs),
    /// Compare the records of two releases.
    Diff(DiffArgs),
    /// List the releases in a folder or bucket.
    List(ListArgs),
    /// Show the contents of a release.
    Inspect(ReleaseArg),
    /// Verify the checksums and cross-references of a release's files.
    Verify(ReleaseArg),
    /// Recover assigned-ID files from a release.
    Ids(IdsArgs),
    /// Replace a release's inventory with synthetic spots.
    Synthesize(SynthesizeArgs),
    /// Upload a release to a bucket.
    Publish(PublishArgs),
}

impl ReleaseCommand {
    pub async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Build(build) => build.run().await,
            Self::ProposeMap(propose_map) => propose_map.run(),
            Self::Diff(diff) => diff.run().await,
            Self::List(list) => list.run().await,
            Self::Inspect(release) => inspect::run(release).await,
            Self::Verify(release) => verify::run(release).await,
            Self::Ids(ids) => ids.run().await,
            Self::Synthesize(synthesize) => synthesize.run(),
            Self::Publish(publish) => publish.run().await,
        }
    }
}
