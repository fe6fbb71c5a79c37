//! `marquee release`.

mod diff;
mod import;
mod inspect;
mod list;
mod location;
mod publish;
mod synthesize;
mod verify;

use std::path::PathBuf;

use clap::Subcommand;

use crate::failure::Failure;
use crate::release::{LOCAL_RELEASE, build_sample};
use diff::DiffArgs;
use import::ImportCommand;
use list::ListArgs;
use location::ReleaseArg;
use publish::PublishArgs;
use synthesize::SynthesizeArgs;

/// A subcommand of `marquee release`.
#[derive(Debug, Subcommand)]
pub enum ReleaseCommand {
    /// Build the sample release from the source data.
    Build {
        /// The folder of the source data.
        #[arg(long, value_name = "DIR", default_value = "data")]
        data: PathBuf,
        /// The folder to write the release to; an existing release is replaced.
        #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
        out: PathBuf,
    },
    /// Show the contents of a release.
    Inspect(ReleaseArg),
    /// Verify the checksums and cross-references of a release's files.
    Verify(ReleaseArg),
    /// Compare the records of two releases.
    Diff(DiffArgs),
    /// List the releases in a folder or bucket.
    List(ListArgs),
    /// Add your own data to a release.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Replace a release's inventory with synthetic spots.
    Synthesize(SynthesizeArgs),
    /// Upload a release to a bucket.
    Publish(PublishArgs),
}

impl ReleaseCommand {
    pub async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Build { data, out } => inspect::print(&build_sample(&data, &out)?)?,
            Self::Inspect(release) => inspect::run(release).await?,
            Self::Verify(release) => verify::run(release).await?,
            Self::Diff(diff) => diff.run().await?,
            Self::List(list) => list.run().await?,
            Self::Import(command) => command.run()?,
            Self::Synthesize(synthesize) => synthesize.run()?,
            Self::Publish(publish) => publish.run().await?,
        }
        Ok(())
    }
}
