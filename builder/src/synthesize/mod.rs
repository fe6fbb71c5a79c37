//! Makes an inventory up, as large as is wanted, to see how everything behaves at scale. Nothing of it exists.
//!
//! It follows from the base release, the number of spots and the seed alone. The first spots of a large inventory are
//! those of a small one with the same seed.

mod complete;
mod formats;
mod locations;
mod markets;
mod numbers;
mod operators;
mod roads;
mod spots;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::import::extended;
use dataset::Progress;
use dataset::inventory::InventoryWriter;
use dataset::{Figures, Folder, Geographies, Maturity, Places, Provenance, ReleaseError, Source, write_folder};

pub(crate) use complete::complete;

use markets::Markets;
use spots::Spots;

/// The most spots that are made: several times those of the whole country.
pub const MOST_SPOTS: usize = 5_000_000;

/// The day that the inventory claims to be of.
const VINTAGE: &str = "2026-08-01";

/// Writes a release into a folder whose inventory is made up, and whose other parts are those of the base.
///
/// # Errors
///
/// When there are to be no spots or more than [`MOST_SPOTS`], or the base or the folder cannot be used. No release is
/// written then.
pub fn synthesize(
    base: &Folder,
    spots: usize,
    seed: u64,
    out: &Path,
    progress: Progress<'_>,
) -> Result<Folder, String> {
    if !(1..=MOST_SPOTS).contains(&spots) {
        return Err(format!("spots: {spots} is not from 1 to {MOST_SPOTS}"));
    }
    let geographies = Geographies::open(base).map_err(text)?;
    let places = Places::open(base).map_err(text)?;
    let markets = Markets::of(&geographies, &places, seed)?;
    let vintage = VINTAGE.replace('-', "");
    let made = Spots { seed, markets, places: &places, measurement: ("synthetic".into(), vintage.into()) };
    let write = |folder: &Path| {
        let mut writer = InventoryWriter::default();
        for number in 0..spots as u64 {
            if number % 10_000 == 0 {
                progress("making spots up", number, spots as u64);
            }
            writer.push(&made.record(number));
        }
        progress("writing the inventory", 0, 1);
        let written = writer.write(folder, &geographies);
        progress("writing the inventory", 1, 1);
        written
    };
    write_folder(out, |folder| extended(base, folder, write, provenance(spots, seed), source()))
}

fn provenance(spots: usize, seed: u64) -> (Figures, Provenance) {
    let provenance = Provenance {
        source: format!("synthesized: {spots} spots, seed {seed}; nothing of it exists"),
        source_doc: String::new(),
        methodology_version: "1.0".to_owned(),
        data_vintage: VINTAGE.to_owned(),
        data_freshness: "static".to_owned(),
        data_latency_days: None,
        data_maturity: Maturity::SyntheticOnly,
    };
    (Figures::Inventory, provenance)
}

/// Says of what the inventory was made: the same for every one, so that the next one in its place adds nothing.
fn source() -> Source {
    Source {
        name: "inventory: made up, nothing of it exists".to_owned(),
        vintage: VINTAGE.to_owned(),
        licence: "none needed".to_owned(),
        attribution: String::new(),
    }
}

fn text(error: ReleaseError) -> String {
    error.to_string()
}
