//! Puts a made-up inventory into a release.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};

use dataset::inventory::InventoryWriter;
use dataset::inventory::record::Record;
use dataset::{Figures, Folder, Geographies, Maturity, Places, Progress, Provenance, RecordSource, Source};

use super::error::SynthesizeError;
use super::spots::Spots;
use super::zips::Zips;
use crate::packing::{NewFolder, PackError, extended};

/// The most spots that are made: many times those of the whole country.
pub const MOST_SPOTS: usize = 10_000_000;

/// How many records are made and added at once.
const BLOCK: usize = 250;

/// How many blocks may wait to be added.
const BLOCKS_AHEAD: usize = 64;

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
    let (made, releases) = mpsc::channel();
    synthesize_each(base, &[(spots, out.to_owned())].into(), seed, progress, &made)?;
    Ok(releases.recv().expect("the one that was made").1)
}

/// Writes a release for each number of spots into its folder, as [`synthesize`] writes one, and hands each on
/// as soon as it is whole. All are made in the time of the largest: its first spots are those of the others.
///
/// # Errors
///
/// As [`synthesize`]. Those that were handed on stay.
pub fn synthesize_each(
    base: &Folder,
    outs: &BTreeMap<usize, PathBuf>,
    seed: u64,
    progress: Progress<'_>,
    made: &Sender<(usize, Folder)>,
) -> Result<(), SynthesizeError> {
    let is_possible = |spots: &usize| (1..=MOST_SPOTS).contains(spots);
    if let Some(spots) = outs.keys().find(|spots| !is_possible(spots)) {
        return Err(SynthesizeError::Spots { spots: *spots, most: MOST_SPOTS });
    }
    let (geographies, places) = (Geographies::open(base)?, Places::open(base)?);
    let zips = Zips::of(&geographies, &places).ok_or(SynthesizeError::NobodyAnywhere)?;
    let vintage = VINTAGE.replace('-', "");
    let spots = Spots { seed, zips, places: &places, measurement: ("synthetic".into(), vintage.into()) };
    let new = |(spots, out): (&usize, &PathBuf)| Ok((*spots, NewFolder::beside(out)?));
    let folders = outs.iter().map(new).collect::<Result<_, PackError>>()?;
    Releases { base, geographies: &geographies, seed, made }.write(&spots, folders, progress)
}

/// What releases of one seed have in common.
struct Releases<'a> {
    base: &'a Folder,
    geographies: &'a Geographies,
    seed: u64,
    made: &'a Sender<(usize, Folder)>,
}

impl Releases<'_> {
    /// Writes a release into each folder: the largest here, and every other one beside it, from what there was
    /// when its last spot had come.
    fn write(
        &self,
        spots: &Spots<'_>,
        mut folders: BTreeMap<usize, NewFolder>,
        progress: Progress<'_>,
    ) -> Result<(), SynthesizeError> {
        let Some((most, largest)) = folders.pop_last() else { return Ok(()) };
        let name = format!("synthesized, seed {}; nothing of it exists", self.seed);
        let source = RecordSource { name, vintage: VINTAGE.to_owned() };
        let blocks = (BLOCK..most).step_by(BLOCK);
        let ends = blocks.chain(folders.keys().copied()).chain([most]).collect();
        thread::scope(|scope| {
            let (mut writer, mut others) = (InventoryWriter::default(), Vec::new());
            for (end, records) in blocks_of_records(scope, spots, ends) {
                writer.push_each(&records, &source);
                progress("making spots up", end as u64, most as u64);
                if let Some(folder) = folders.remove(&end) {
                    let writer = writer.clone();
                    others.push(scope.spawn(move || self.finish(writer, end, folder)));
                }
            }
            progress("writing the inventory", 0, 1);
            self.finish(writer, most, largest)?;
            progress("writing the inventory", 1, 1);
            others.into_iter().try_for_each(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    fn finish(
        &self,
        writer: InventoryWriter,
        spots: usize,
        folder: NewFolder,
    ) -> Result<(), SynthesizeError> {
        let written = writer.write(folder.path(), self.geographies)?;
        let provenance = provenance(spots, self.seed);
        let manifest = extended(self.base, folder.path(), written, provenance, source())?;
        let release = folder.put_in_place(manifest)?;
        // Nobody may be waiting for it.
        let _ = self.made.send((spots, release));
        Ok(())
    }
}

/// Makes the records in their order on another thread, in blocks that end behind these numbers of records.
fn blocks_of_records<'scope>(
    scope: &'scope Scope<'scope, '_>,
    spots: &'scope Spots<'_>,
    ends: BTreeSet<usize>,
) -> Receiver<(usize, Vec<Record<'scope>>)> {
    let (made, blocks) = mpsc::sync_channel(BLOCKS_AHEAD);
    scope.spawn(move || {
        let mut first = 0;
        for end in ends {
            let records = (first..end).map(|number| spots.record(number as u64)).collect();
            first = end;
            if made.send((end, records)).is_err() {
                return;
            }
        }
    });
    blocks
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
        known_gaps: Vec::new(),
    };
    (Figures::Inventory, provenance)
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
