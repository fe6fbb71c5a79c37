//! Replaces a release's inventory with a synthetic one.

use std::path::Path;

use dataset::inventory::InventoryWriter;
use dataset::{Figures, Folder, Geographies, Maturity, Places, Progress, Provenance, RecordSource, Source};

use super::error::SynthesizeError;
use super::spots::Spots;
use super::zips::Zips;
use crate::packing::{NewFolder, extended};

/// The maximum number of spots. It's many times the number of spots in the United States.
pub const MAX_SPOTS: usize = 10_000_000;

/// The number of records to generate at a time.
const BLOCK: usize = 250;

/// The vintage of every synthetic inventory.
const VINTAGE: &str = "2026-08-01";

/// Writes a release with a synthetic inventory into a folder of releases. All other data comes from the
/// `base` release.
///
/// # Errors
///
/// Fails without writing a release if `spots` is 0 or more than [`MAX_SPOTS`], or if the base release can't
/// be read or the folder can't be written.
pub fn synthesize(
    base: &Folder,
    spots: usize,
    seed: u64,
    out: &Path,
    progress: Progress<'_>,
) -> Result<Folder, SynthesizeError> {
    if !(1..=MAX_SPOTS).contains(&spots) {
        return Err(SynthesizeError::Spots { spots, most: MAX_SPOTS });
    }
    let (geographies, places) = (Geographies::open(base)?, Places::open(base)?);
    let zips = Zips::of(&geographies, &places).ok_or(SynthesizeError::NoResidents)?;
    let vintage = VINTAGE.replace('-', "");
    let made = Spots { seed, zips, places: &places, measurement: ("synthetic".into(), vintage.into()) };
    let folder = NewFolder::create(out)?;
    let inventory = inventory(&made, spots, progress);
    progress("writing the inventory", 0, 1);
    let written = inventory.write(folder.path(), &geographies)?;
    let manifest = extended(base, folder.path(), written, provenance(spots, seed), source())?;
    progress("writing the inventory", 1, 1);
    Ok(folder.publish(&manifest)?)
}

/// Generates the inventory's records and adds them to a writer.
fn inventory(made: &Spots<'_>, spots: usize, progress: Progress<'_>) -> InventoryWriter {
    let name = format!("synthesized with seed {}; not real inventory", made.seed);
    let source = RecordSource { name, vintage: VINTAGE.to_owned() };
    let mut writer = InventoryWriter::default();
    for first in (0..spots).step_by(BLOCK) {
        let end = spots.min(first + BLOCK);
        let records: Vec<_> = (first..end).map(|number| made.record(number as u64)).collect();
        writer.push_each(&records, &source);
        progress("generating spots", end as u64, spots as u64);
    }
    writer
}

fn provenance(spots: usize, seed: u64) -> (Figures, Provenance) {
    let provenance = Provenance {
        source: format!("synthesized: {spots} spots, seed {seed}; not real inventory"),
        source_doc: String::new(),
        methodology_version: "1.0".to_owned(),
        data_vintage: VINTAGE.to_owned(),
        data_freshness: "static".to_owned(),
        data_latency_days: None,
        data_maturity: Maturity::SyntheticOnly,
        modelled_from: Vec::new(),
        cohort_resolution: None,
        known_gaps: Vec::new(),
    };
    (Figures::Inventory, provenance)
}

/// Returns the inventory's entry in the list of sources. It's the same for every synthetic inventory, so
/// replacing one synthetic inventory with another doesn't add an entry.
fn source() -> Source {
    Source {
        name: "inventory: synthetic, not real".to_owned(),
        vintage: VINTAGE.to_owned(),
        licence: "none needed".to_owned(),
        attribution: String::new(),
        ids: None,
    }
}
