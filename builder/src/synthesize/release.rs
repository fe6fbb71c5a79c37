//! Puts a made-up inventory into a release.

use std::path::Path;
use std::sync::mpsc;

use dataset::inventory::InventoryWriter;
use dataset::inventory::record::Record;
use dataset::{Figures, Folder, Geographies, Maturity, Places, Progress, Provenance, RecordSource, Source};

use super::error::SynthesizeError;
use super::markets::Markets;
use super::spots::Spots;
use crate::packing::{extended, write_folder};

/// The most spots that are made: many times those of the whole country.
pub const MOST_SPOTS: usize = 10_000_000;

/// How many records are handed on at a time.
const BLOCK: u64 = 10_000;

/// How many such blocks may wait.
const BLOCKS_AHEAD: usize = 2;

/// The day that the inventory claims to be of.
const VINTAGE: &str = "2026-08-01";

/// Writes a release into a folder whose inventory is made up, and whose other parts are those of the base.
///
/// # Errors
///
/// When there are to be no spots or more than [`MOST_SPOTS`], or the base or the folder cannot be used. No
/// release is written then.
pub fn synthesize(
    base: &Folder,
    spots: usize,
    seed: u64,
    out: &Path,
    progress: Progress<'_>,
) -> Result<Folder, SynthesizeError> {
    if !(1..=MOST_SPOTS).contains(&spots) {
        return Err(SynthesizeError::Spots { spots, most: MOST_SPOTS });
    }
    let (geographies, places) = (Geographies::open(base)?, Places::open(base)?);
    let markets = Markets::of(&geographies, &places, seed).ok_or(SynthesizeError::NobodyAnywhere)?;
    let vintage = VINTAGE.replace('-', "");
    let made = Spots { seed, markets, places: &places, measurement: ("synthetic".into(), vintage.into()) };
    let record_source = RecordSource { name: made_up(spots, seed), vintage: VINTAGE.to_owned() };
    write_folder(out, |folder| {
        let mut writer = InventoryWriter::default();
        for_each_block(&made, spots as u64, |first, records| {
            progress("making spots up", first, spots as u64);
            records.iter().for_each(|record| writer.push(record, &record_source));
        });
        progress("writing the inventory", 0, 1);
        let written = writer.write(folder, &geographies)?;
        progress("writing the inventory", 1, 1);
        Ok(extended(base, folder, written, provenance(spots, seed), source())?)
    })
}

/// Hands the records to `take` in their order, while another thread makes the next ones.
fn for_each_block(spots: &Spots<'_>, count: u64, mut take: impl FnMut(u64, &[Record<'_>])) {
    let (made, blocks) = mpsc::sync_channel(BLOCKS_AHEAD);
    // What was taken goes back: the thread that has made it frees it in less time than another one.
    let (taken, to_free) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for first in (0..count).step_by(BLOCK as usize) {
                let numbers = first..count.min(first + BLOCK);
                let records: Vec<Record<'_>> = numbers.map(|number| spots.record(number)).collect();
                if made.send((first, records)).is_err() {
                    return;
                }
                to_free.try_iter().for_each(drop);
            }
        });
        for (first, records) in blocks {
            take(first, &records);
            // The other thread is gone after its last block.
            let _ = taken.send(records);
        }
    });
}

fn provenance(spots: usize, seed: u64) -> (Figures, Provenance) {
    let provenance = Provenance {
        source: made_up(spots, seed),
        source_doc: String::new(),
        methodology_version: "1.0".to_owned(),
        data_vintage: VINTAGE.to_owned(),
        data_freshness: "static".to_owned(),
        data_latency_days: None,
        data_maturity: Maturity::SyntheticOnly,
        known_gaps: Vec::new(),
    };
    (Figures::Inventory, provenance)
}

fn made_up(spots: usize, seed: u64) -> String {
    format!("synthesized: {spots} spots, seed {seed}; nothing of it exists")
}

/// Says of what the inventory was made: the same for every one, so that the next one in its place adds
/// nothing.
fn source() -> Source {
    Source {
        name: "inventory: made up, nothing of it exists".to_owned(),
        vintage: VINTAGE.to_owned(),
        licence: "none needed".to_owned(),
        attribution: String::new(),
    }
}
