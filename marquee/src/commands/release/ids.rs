//! `marquee release ids`.

use std::path::PathBuf;

use builder::build::recover_ids;
use clap::Args;
use dataset::Part;

use super::location::ReleaseArg;
use crate::failure::Failure;
use crate::output::print_line;

/// The arguments of `marquee release ids`.
#[derive(Args, Debug)]
pub struct IdsArgs {
    #[command(flatten)]
    release: ReleaseArg,
    /// The folder to write the files to; builds read IDs from the `ids` folder next to the list of sources.
    #[arg(long, value_name = "DIR", default_value = "ids")]
    out: PathBuf,
}

/// The error for a file that already exists. The file isn't replaced.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0} already exists; move it first, because it may contain IDs of records that aren't in the release"
)]
struct FileExists(String);

impl IdsArgs {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let release = self.release.open(&[Part::Inventory, Part::Places]).await?;
        let mut all = recover_ids(&release.folder, &self.out)?;
        if let Some(existing) = all.iter().find(|ids| ids.file().exists()) {
            return Err(FileExists(existing.file().display().to_string()).into());
        }
        if all.is_empty() {
            print_line("the release has no sources with assigned IDs")?;
        }
        for ids in &mut all {
            ids.write()?;
            print_line(format_args!("recovered {} IDs: {}", ids.len(), ids.file().display()))?;
        }
        Ok(())
    }
}
