//! One target for each part of a release.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use dataset::inventory::{Inventory, SpotCounts};
use dataset::tiles::{Layer, LayerPoints};
use dataset::{
    BaseMap, Exposures, Folder, Geographies, KnownIds, Measures, NationalPopulation, Part, Places,
    Population, VisitsByPlace,
};

use super::queries;
use super::sample::{described, new_folder, release};
use crate::choices::{Choices, damage};

/// Alters a part's file, checks that verification rejects it, and passes the release to `query`.
///
/// The release's manifest describes the altered file, so `query` can open it. `query` also gets a random
/// number generator if the file is unaltered.
fn altered(among: &[Part], input: &[u8], query: impl FnOnce(&Folder, Option<&mut fastrand::Rng>)) {
    let mut choices = Choices::of(input);
    let (part, seed) = (choices.pick(among), choices.byte());
    let (release, files) = release();
    let mut bytes = files[&part].clone();
    damage(&mut bytes, &mut choices);
    let folder = folder_of(part);
    let file = folder.join(part.file());
    // The old file may still be mapped into memory, so this replaces it instead of overwriting it.
    let _ = fs::remove_file(&file);
    fs::write(&file, &bytes).expect("the folder is writable");
    let mut rng = (bytes == files[&part]).then(|| fastrand::Rng::with_seed(u64::from(seed)));
    let verified = Folder::new(folder.clone(), release.manifest().clone()).verify(&[part]);
    assert_eq!(
        verified.err().map(|error| error.file().to_owned()),
        rng.is_none().then(|| part.file().to_owned())
    );
    query(&described(folder), rng.as_mut());
}

/// Returns the folder for altered versions of a part. It links to the release's other parts.
fn folder_of(part: Part) -> &'static PathBuf {
    static FOLDERS: OnceLock<[PathBuf; Part::ALL.len()]> = OnceLock::new();
    let folders = FOLDERS.get_or_init(|| {
        Part::ALL.map(|altered| {
            let folder = new_folder(altered.file());
            for part in Part::ALL.into_iter().filter(|part| *part != altered) {
                fs::hard_link(release().0.file(part), folder.join(part.file()))
                    .expect("both folders are on one disk");
            }
            folder
        })
    });
    let at = Part::ALL.iter().position(|other| *other == part).expect("the list has all parts");
    &folders[at]
}

pub(crate) fn inventory(input: &[u8]) {
    let parts = [Part::Inventory, Part::Inventory, Part::SpotCounts, Part::Exposures];
    altered(&parts, input, |folder, rng| {
        let (inventory, counts) = (Inventory::open(folder), SpotCounts::open(folder));
        let exposures = Exposures::open(folder);
        if let Some(rng) = rng {
            queries::inventory(&inventory.expect("valid part"), rng);
            queries::spot_counts(&counts.expect("valid part"));
            queries::exposures(&exposures.expect("valid part"));
        }
    });
}

pub(crate) fn places(input: &[u8]) {
    altered(&[Part::Places, Part::Visits], input, |folder, rng| {
        let (places, visits) = (Places::open(folder), VisitsByPlace::open(folder));
        if let Some(rng) = rng {
            queries::places(&places.expect("valid part"), &visits.expect("valid part"), rng);
        }
    });
}

pub(crate) fn measures(input: &[u8]) {
    altered(&[Part::Measures], input, |folder, rng| {
        let measures = Measures::open(folder);
        if rng.is_some() {
            queries::measures(&measures.expect("valid part"));
        }
    });
}

pub(crate) fn population(input: &[u8]) {
    altered(&[Part::Population, Part::NationalPopulation, Part::Geographies], input, |folder, rng| {
        let (geographies, population) = (Geographies::open(folder), Population::open(folder));
        let nation = NationalPopulation::open(folder);
        if rng.is_some() {
            queries::geographies(&geographies.expect("valid part"));
            queries::population(&population.expect("valid part"));
            queries::nation(&nation.expect("valid part"));
        }
    });
}

pub(crate) fn tiles(input: &[u8]) {
    altered(&[Part::DisplayTiles, Part::PlaceTiles, Part::BaseMap], input, |folder, rng| {
        let layers = [Layer::Faces, Layer::Places].map(|layer| LayerPoints::open(folder, layer));
        let map = BaseMap::open(folder);
        if let Some(rng) = rng {
            queries::base_map(&map.expect("valid part"));
            for points in layers {
                queries::tiles(&points.expect("valid part"), rng);
            }
        }
    });
}

pub(crate) fn known_ids(input: &[u8]) {
    altered(&[Part::KnownIds], input, |folder, rng| {
        let known = KnownIds::open(folder);
        if rng.is_some() {
            queries::known_ids(&known.expect("valid part"));
        }
    });
}
