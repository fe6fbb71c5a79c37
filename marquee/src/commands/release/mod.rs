//! `marquee release`.

mod import;
mod inspect;
mod propose_map;
mod publish;
mod synthesize;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use dataset::Folder;

use crate::failure::Failure;
use crate::output::print_line;
use crate::release::{FolderError, LOCAL_RELEASE, build_sample, check, open};
use import::ImportCommand;
use propose_map::ProposeMapArgs;
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
    /// Add your own data to a release.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Propose a column map for a file, to read and correct.
    ProposeMap(ProposeMapArgs),
    /// Replace a release's inventory with synthetic spots.
    Synthesize(SynthesizeArgs),
    /// Upload a release to a bucket.
    Publish(PublishArgs),
}

/// The argument that names a release's folder.
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
                    "{} is valid: all checksums and cross-references match",
                    folder.manifest().name
                ))?;
            }
            Self::Import(command) => command.run()?,
            Self::ProposeMap(propose_map) => propose_map.run()?,
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
