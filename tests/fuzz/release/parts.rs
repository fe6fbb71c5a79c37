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

/// Alters one part's file, and lends the release with it, described as it is. An altered file has another
/// digest than the true one, so that no process serves it; it can be opened without a panic. A true file is
/// asked questions by chance.
fn altered(among: &[Part], input: &[u8], asked: impl FnOnce(&Folder, Option<&mut fastrand::Rng>)) {
    let mut choices = Choices::of(input);
    let (part, seed) = (choices.pick(among), choices.byte());
    let (release, files) = release();
    let mut bytes = files[&part].clone();
    damage(&mut bytes, &mut choices);
    let folder = folder_of(part);
    let file = folder.join(part.file());
    // Another file: what was opened before may be mapped still.
    let _ = fs::remove_file(&file);
    fs::write(&file, &bytes).expect("a file in a folder of this process");
    let mut dice = (bytes == files[&part]).then(|| fastrand::Rng::with_seed(u64::from(seed)));
    let verified = Folder::new(folder.clone(), release.manifest().clone()).verify(&[part]);
    assert_eq!(
        verified.err().map(|error| error.file().to_owned()),
        dice.is_none().then(|| part.file().to_owned())
    );
    asked(&described(folder), dice.as_mut());
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
        let (inventory, counts) = (Inventory::open(folder), SpotCounts::open(folder));
        if let Some(dice) = dice {
            asked::inventory(&inventory.expect("a true part"), dice);
            asked::spot_counts(&counts.expect("a true part"));
        }
    });
}

pub(crate) fn places(input: &[u8]) {
    altered(&[Part::Places], input, |folder, dice| {
        let places = Places::open(folder);
        if let Some(dice) = dice {
            asked::places(&places.expect("a true part"), dice);
        }
    });
}

pub(crate) fn measures(input: &[u8]) {
    altered(&[Part::Measures], input, |folder, dice| {
        let measures = Measures::open(folder);
        if dice.is_some() {
            asked::measures(&measures.expect("a true part"));
        }
    });
}

pub(crate) fn population(input: &[u8]) {
    altered(&[Part::Population, Part::NationalPopulation, Part::Geographies], input, |folder, dice| {
        let (geographies, population) = (Geographies::open(folder), Population::open(folder));
        let nation = NationalPopulation::open(folder);
        if dice.is_some() {
            asked::geographies(&geographies.expect("a true part"));
            asked::population(&population.expect("a true part"));
            asked::nation(&nation.expect("a true part"));
        }
    });
}

pub(crate) fn tiles(input: &[u8]) {
    altered(&[Part::DisplayTiles, Part::PlaceTiles], input, |folder, dice| {
        let layers = [Layer::Faces, Layer::Places].map(|layer| LayerPoints::open(folder, layer));
        if let Some(dice) = dice {
            for points in layers {
                asked::tiles(&points.expect("a true part"), dice);
            }
        }
    });
}

pub(crate) fn known_ids(input: &[u8]) {
    altered(&[Part::KnownIds], input, |folder, dice| {
        let known = KnownIds::open(folder);
        if dice.is_some() {
            asked::known_ids(&known.expect("a true part"));
        }
    });
}
