//! What is done with each part.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use dataset::inventory::{Inventory, SpotCounts};
use dataset::tiles::{Layer, LayerPoints};
use dataset::{Folder, Geographies, KnownIds, Measures, NationalPopulation, Part, Places, Population};

use super::asked;
use super::made::{described, new_folder, release};
use crate::choices::{Choices, damage};

/// Alters one part's file, and lends the release with it if it passes the check of releases.
fn altered(among: &[Part], input: &[u8], asked: impl FnOnce(&Folder, &mut fastrand::Rng)) {
    let mut choices = Choices::of(input);
    let (part, seed) = (choices.pick(among), choices.byte());
    let (_, files) = release();
    let mut bytes = files[&part].clone();
    damage(&mut bytes, &mut choices);
    let folder = folder_of(part);
    let mut lengths: std::collections::BTreeMap<_, _> =
        files.iter().map(|(part, file)| (*part, file.len())).collect();
    lengths.insert(part, bytes.len());
    let file = folder.join(part.file());
    // Another file: what was opened before may be mapped still.
    let _ = fs::remove_file(&file);
    fs::write(&file, &bytes).expect("a file in a folder of this process");
    let folder = described(folder, &lengths);
    // What a release promises: whatever passes its check answers every question.
    if dataset::check(&folder).is_ok() {
        asked(&folder, &mut fastrand::Rng::with_seed(u64::from(seed)));
    }
}

/// The folder in which one part is altered: the others are those of the true release.
fn folder_of(part: Part) -> &'static PathBuf {
    static FOLDERS: OnceLock<[PathBuf; Part::ALL.len()]> = OnceLock::new();
    let folders = FOLDERS.get_or_init(|| {
        Part::ALL.map(|altered| {
            let folder = new_folder(altered.file());
            for part in Part::ALL.into_iter().filter(|part| *part != altered) {
                fs::hard_link(release().0.file(part), folder.join(part.file())).expect("one disk");
            }
            folder
        })
    });
    let at = Part::ALL.iter().position(|other| *other == part).expect("one of all");
    &folders[at]
}

pub(crate) fn inventory(input: &[u8]) {
    altered(&[Part::Inventory, Part::Inventory, Part::SpotCounts], input, |folder, dice| {
        if let Ok(inventory) = Inventory::open(folder) {
            asked::inventory(&inventory, dice);
        }
        if let Ok(counts) = SpotCounts::open(folder) {
            asked::spot_counts(&counts);
        }
    });
}

pub(crate) fn places(input: &[u8]) {
    altered(&[Part::Places], input, |folder, dice| {
        if let Ok(places) = Places::open(folder) {
            asked::places(&places, dice);
        }
    });
}

pub(crate) fn measures(input: &[u8]) {
    altered(&[Part::Measures], input, |folder, _| {
        if let Ok(measures) = Measures::open(folder) {
            asked::measures(&measures);
        }
    });
}

pub(crate) fn population(input: &[u8]) {
    altered(&[Part::Population, Part::NationalPopulation, Part::Geographies], input, |folder, _| {
        if let Ok(geographies) = Geographies::open(folder) {
            asked::geographies(&geographies);
        }
        if let Ok(population) = Population::open(folder) {
            asked::population(&population);
        }
        if let Ok(nation) = NationalPopulation::open(folder) {
            asked::nation(&nation);
        }
    });
}

pub(crate) fn tiles(input: &[u8]) {
    altered(&[Part::DisplayTiles, Part::PlaceTiles], input, |folder, dice| {
        for layer in [Layer::Faces, Layer::Places] {
            if let Ok(points) = LayerPoints::open(folder, layer) {
                asked::tiles(&points, dice);
            }
        }
    });
}

pub(crate) fn known_ids(input: &[u8]) {
    altered(&[Part::KnownIds], input, |folder, _| {
        if let Ok(known) = KnownIds::open(folder) {
            asked::known_ids(&known);
        }
    });
}
