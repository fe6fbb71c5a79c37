//! `marquee release synthesize`.

use std::path::PathBuf;

use builder::{DERIVED_PARTS, MAX_SPOTS};
use clap::Args;
use dataset::Part;
use dataset::inventory::Inventory;

use crate::failure::Failure;
use crate::output::print_line;
use crate::release::{FolderError, LOCAL_RELEASE, LOCAL_RELEASES, ProgressBar, open};

/// The arguments of `marquee release synthesize`.
#[derive(Args, Debug)]
pub struct SynthesizeArgs {
    #[arg(long, value_name = "N", help = format!("The number of spots, from 1 to {MAX_SPOTS}"))]
    spots: usize,
    /// The random seed; the same seed produces the same bytes.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The release whose inventory to replace.
    #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
    /// The releases folder, where the new release's folder is created.
    #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASES)]
    out: PathBuf,
}

impl SynthesizeArgs {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self { spots, seed, release, out } = self;
        let base = open(&release)?;
        // The inventory and the parts derived from it are replaced, so they don't have to be valid or exist.
        let is_replaced =
            |part: &Part| [Part::Inventory, Part::SpotCounts].contains(part) || DERIVED_PARTS.contains(part);
        let kept = Part::ALL.into_iter().filter(|part| !is_replaced(part));
        base.verify(&kept.collect::<Vec<Part>>()).map_err(FolderError::unusable(&release))?;
        let bar = ProgressBar::start();
        let written =
            builder::synthesize(&base, spots, seed, &out, &|step, done, all| bar.show(step, done, all));
        drop(bar);
        let written = written?;
        let inventory = Inventory::open(&written).map_err(FolderError::unusable(written.path()))?;
        let measured = inventory.indexes().filter(|spot| inventory.has_measures(*spot)).count();
        print_line(format_args!("wrote {} to {}", written.manifest().name, written.path().display()))?;
        print_line(format_args!("spots: {measured} measured, {} unmeasured", spots - measured))?;
        Ok(())
    }
}
