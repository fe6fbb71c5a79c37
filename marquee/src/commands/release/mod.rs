//! `marquee release`: builds, inspects, verifies, extends, synthesizes and publishes data releases.

mod import;
mod inspect;
mod publish;
mod synthesize;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use dataset::Folder;

use crate::failure::Failure;
use crate::output::print_line;
use crate::release::{FolderError, LOCAL_RELEASE, build_sample, check, open};
use import::ImportCommand;
use publish::PublishArgs;
use synthesize::SynthesizeArgs;

/// What can be done with data releases.
#[derive(Debug, Subcommand)]
pub enum ReleaseCommand {
    /// Builds the sample release from the source data.
    Build {
        /// The source data.
        #[arg(long, value_name = "DIR", default_value = "data")]
        data: PathBuf,
        /// Where to write the release; one that is there is replaced.
        #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
        out: PathBuf,
    },
    /// Prints what is in a release.
    Inspect(ReleaseArg),
    /// Checks every file's SHA-256, and that the files agree with each other.
    Verify(ReleaseArg),
    /// Adds an administrator's own data to a release.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Replaces a release's inventory with a made-up one of any size.
    Synthesize(SynthesizeArgs),
    /// Uploads a release to a bucket.
    Publish(PublishArgs),
}

/// A release in a folder.
#[derive(Args, Debug)]
pub struct ReleaseArg {
    /// The release's folder.
    #[arg(value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
}

impl ReleaseCommand {
    pub async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Build { data, out } => inspect::print(&build_sample(&data, &out)?)?,
            Self::Inspect(release) => inspect::print(&release.open()?)?,
            Self::Verify(release) => {
                let folder = release.open()?;
                check(&folder)?;
                print_line(format_args!(
                    "{} is whole: every sum and every reference agrees",
                    folder.manifest().name
                ))?;
            }
            Self::Import(command) => command.run()?,
            Self::Synthesize(synthesize) => synthesize.run()?,
            Self::Publish(publish) => publish.run().await?,
        }
        Ok(())
    }
}

impl ReleaseArg {
    fn open(&self) -> Result<Folder, FolderError> {
        open(&self.release)
    }
}
