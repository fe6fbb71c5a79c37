//! Tests that each function fetches exactly the parts that it opens.

use std::fs;

use dataset::{Folder, MANIFEST, Part, ReleaseError};
use harness::sample_release;

use super::Scratch;

/// The name of a function, the parts that the function fetches, and a closure that opens them.
type FunctionParts = (&'static str, &'static [Part], fn(&Folder) -> Result<(), ReleaseError>);

const FUNCTIONS: [FunctionParts; 6] = [
    ("audiences", &audiences::Release::PARTS, |folder| audiences::Release::open(folder).map(drop)),
    ("estimates", &estimates::Release::PARTS, |folder| estimates::Release::open(folder).map(drop)),
    ("inventory", &inventory::Release::PARTS, |folder| inventory::Release::open(folder).map(drop)),
    ("places", &places::Release::PARTS, |folder| places::Release::open(folder).map(drop)),
    ("scenarios", &scenarios::Release::PARTS, |folder| scenarios::Release::open(folder).map(drop)),
    ("tiles", &tiles::Release::PARTS, |folder| tiles::Release::open(folder).map(drop)),
];

#[test]
fn functions_require_exactly_the_parts_that_they_fetch() {
    let scratch = Scratch::new();
    for (function, parts, open) in FUNCTIONS {
        let path = scratch.path(function);
        fs::create_dir(&path).expect("a new folder");
        let sample = sample_release().path();
        for file in parts.iter().map(|part| part.file()).chain([MANIFEST]) {
            fs::hard_link(sample.join(file), path.join(file)).expect("a hard link");
        }
        let folder = Folder::open(&path).expect("a release");
        assert_eq!(open(&folder), Ok(()), "{function}");
        for part in parts {
            fs::remove_file(folder.file(*part)).expect("a link");
            let error = open(&folder).expect_err(part.file());
            assert_eq!(error.file(), part.file(), "{function}");
            fs::hard_link(sample.join(part.file()), folder.file(*part)).expect("a hard link");
        }
    }
}

#[test]
fn tiles_function_shares_no_parts_with_other_functions() {
    assert_eq!(tiles::Release::PARTS, [Part::DisplayTiles, Part::PlaceTiles, Part::BaseMap]);
    let others = FUNCTIONS.into_iter().filter(|(function, ..)| *function != "tiles");
    for (function, parts, _) in others {
        assert!(tiles::Release::PARTS.iter().all(|part| !parts.contains(part)), "{function}");
    }
}
