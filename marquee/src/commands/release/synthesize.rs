use std::path::PathBuf;

use clap::Args;
use dataset::Part;
use dataset::inventory::Inventory;

use super::bar::Bar;
use super::{LOCAL_RELEASE, open, unusable};

/// What a synthesis is told.
#[derive(Args, Debug)]
pub struct SynthesizeArgs {
    /// How many spots there are to be.
    #[arg(long, value_name = "N")]
    spots: usize,
    /// Another seed gives another inventory, the same one the same bytes.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The release whose other parts are taken.
    #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
    /// Where the release goes; in the place of the one that it started from by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl SynthesizeArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let Self { spots, seed, release, out } = self;
        let base = open(&release)?;
        // The inventory of the base is not looked at: it may as well not be there.
        let kept = Part::ALL.into_iter().filter(|part| ![Part::Inventory, Part::SpotCounts].contains(part));
        base.verify(&kept.collect::<Vec<Part>>()).map_err(|error| unusable(&release, &error))?;
        let out = out.unwrap_or(release);
        let bar = Bar::new();
        let written = builder::synthesize(&base, spots, seed, &out, &|what, done, all| bar.show(what, done, all));
        drop(bar);
        let written = written.map_err(|error| error.to_string())?;
        let inventory = Inventory::open(&written).map_err(|error| unusable(&out, &error))?;
        let measured = inventory.indexes().filter(|spot| inventory.is_measured(*spot)).count();
        println!("{spots} spots: {measured} measured, {} not", spots - measured);
        println!("{} is in {}", written.manifest().name, out.display());
        Ok(())
    }
}
