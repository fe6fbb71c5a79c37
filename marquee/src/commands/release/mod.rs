//! Data releases: building, looking into, checking, extending, making up and publishing them.

mod bar;
mod import;
mod inspect;
mod publish;
mod synthesize;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use dataset::{Folder, MANIFEST, Part, ReleaseError};

use bar::Bar;
use import::ImportCommand;
use publish::PublishArgs;
use synthesize::SynthesizeArgs;

pub use publish::update_stack;

/// The release of the local process.
pub const LOCAL_RELEASE: &str = ".local/release";

/// What can be done with data releases.
#[derive(Debug, Subcommand)]
pub enum ReleaseCommand {
    /// Builds the sample release from the source data.
    Build {
        /// The source data.
        #[arg(long, value_name = "DIR", default_value = "data")]
        data: PathBuf,
        /// Where the release goes; one that is there is replaced.
        #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
        out: PathBuf,
    },
    /// Prints what is in a release.
    Inspect(ReleaseArg),
    /// Checks every file's sum, and that what they say of each other agrees.
    Verify(ReleaseArg),
    /// Adds an operator's own data to a release.
    #[command(subcommand)]
    Import(ImportCommand),
    /// Puts a made-up inventory into a release, as large as is wanted.
    Synthesize(SynthesizeArgs),
    /// Uploads a release, and prints the update that switches the functions over to it.
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
    pub(super) async fn run(self) -> Result<(), String> {
        match self {
            Self::Build { data, out } => {
                let folder = build_sample(&data, &out)?;
                inspect::print(&folder);
                Ok(())
            }
            Self::Inspect(release) => {
                inspect::print(&release.open()?);
                Ok(())
            }
            Self::Verify(release) => {
                let folder = release.open()?;
                check(&folder)?;
                println!("{} is whole: every sum and every reference agrees", folder.manifest().name);
                Ok(())
            }
            Self::Import(command) => command.run(),
            Self::Synthesize(synthesize) => synthesize.run(),
            Self::Publish(publish) => publish.run().await,
        }
    }
}

impl ReleaseArg {
    fn open(&self) -> Result<Folder, String> {
        open(&self.release)
    }
}

/// Opens a release in a folder.
fn open(path: &Path) -> Result<Folder, String> {
    if !path.join(MANIFEST).exists() {
        let path = path.display();
        return Err(format!(
            "there is no release in {path}; `marquee release build` makes the sample release, in {LOCAL_RELEASE} by default"
        ));
    }
    Folder::open(path).map_err(|error| unusable(path, &error))
}

/// Holds every file to its sum, and the files to each other.
fn check(folder: &Folder) -> Result<(), String> {
    let checked = folder.verify(&Part::ALL).and_then(|()| dataset::check(folder));
    checked.map_err(|error| unusable(folder.path(), &error))
}

fn unusable(path: &Path, error: &ReleaseError) -> String {
    format!("the release in {} cannot be used: {error}", path.display())
}

/// Builds the sample release into a folder, with a progress bar.
///
/// # Errors
///
/// What is wrong with the source data or the folder.
pub fn build_sample(data: &Path, out: &Path) -> Result<Folder, String> {
    if !data.is_dir() {
        let data = data.display();
        return Err(format!(
            "there is no source data in {data}; run it in the project's folder, or name it with --data"
        ));
    }
    let bar = Bar::new();
    let built = builder::sample::build(data, out, &|what, done, all| bar.show(what, done, all));
    built.map_err(|error| error.to_string())
}
