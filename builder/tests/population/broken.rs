//! Files that are not what a build wrote.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use dataset::{GeographyType, ReleaseError};
use proptest::prelude::*;

use crate::built::{BUILT, empty_folder, open};

const FILES: [&str; 2] = ["geographies.bin", "population.bin"];

/// Copies the release, with one file replaced.
fn with(name: &str, file: &str, bytes: &[u8]) -> PathBuf {
    let folder = empty_folder(name);
    for other in FILES {
        fs::hard_link(BUILT.folder.join(other), folder.join(other)).expect("a folder that can be written");
    }
    // The link is to the release's own file: it is removed, never written through.
    fs::remove_file(folder.join(file)).expect("a folder that can be written");
    fs::write(folder.join(file), bytes).expect("a folder that can be written");
    folder
}

/// Opens a folder and reads whatever passes the checks.
fn read_all(folder: &Path) -> Result<(), ReleaseError> {
    let (geographies, population) = open(folder)?;
    for segment in population.segments() {
        assert_eq!(population.segment(segment.index), segment);
    }
    geographies.check()?;
    population.check(&geographies)?;
    for index in GeographyType::ALL.into_iter().flat_map(|kind| geographies.of_type(kind)) {
        let geography = geographies.get(index);
        assert!(geographies.contains(&geography.id));
        for parent in [geography.state, geography.county, geography.cbsa, geography.dma].into_iter().flatten()
        {
            geographies.get(parent);
        }
    }
    Ok(())
}

/// Whether a folder reads or is refused: by the name of the changed file, unless it is the figures that now
/// contradict it.
fn reads_or_is_refused(folder: &Path, file: &str) -> Result<(), TestCaseError> {
    let read = catch_unwind(|| read_all(folder)).map_err(|_| TestCaseError::fail("reading panicked"))?;
    let named = read.as_ref().err().map(ReleaseError::file);
    prop_assert!(named.is_none_or(|named| named == file || named == FILES[1]), "{read:?}");
    Ok(())
}

#[test]
fn a_whole_release_reads() {
    assert_eq!(read_all(&BUILT.folder), Ok(()));
}

#[test]
fn a_file_that_the_manifest_describes_otherwise_is_refused_by_its_name() {
    for file in FILES {
        let bytes = fs::read(BUILT.folder.join(file)).unwrap();
        let folder = with("shorter-than-said", file, &bytes);
        open(&folder).unwrap();
        fs::write(folder.join(file), &bytes[..bytes.len() - 1]).unwrap();
        let release = dataset::Folder::open(&folder).unwrap();
        let opened = dataset::Geographies::open(&release)
            .map(drop)
            .and_then(|()| dataset::Population::open(&release).map(drop));
        let error = opened.unwrap_err();
        assert_eq!(error.file(), file);
        assert!(error.to_string().contains("the manifest says"), "{error}");
    }
}

#[test]
fn a_file_in_place_of_the_other_is_refused_by_its_name() {
    for (file, other) in [(FILES[0], FILES[1]), (FILES[1], FILES[0])] {
        let bytes = fs::read(BUILT.folder.join(other)).unwrap();
        let error = open(&with("swapped", file, &bytes)).unwrap_err();
        assert_eq!(error.file(), file);
        assert!(error.to_string().contains("has no section"), "{error}");
    }
}

#[test]
fn a_figure_that_was_changed_fails_the_check() {
    for file in FILES {
        let mut bytes = fs::read(BUILT.folder.join(file)).unwrap();
        // A sign of a name becomes no UTF-8, a figure another one.
        let at = if file == FILES[0] {
            bytes.windows(7).position(|text| text == b"Alabama").unwrap()
        } else {
            bytes.len() - 4
        };
        bytes[at] ^= 0xff;
        let error = read_all(&with("changed", file, &bytes)).unwrap_err();
        assert_eq!(error.file(), file, "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_cut_anywhere_is_refused_by_its_name(
        file in prop::sample::select(&FILES[..]),
        kept in prop_oneof![(0..2_000_usize).prop_map(Ok), (0.0..1.0).prop_map(Err)],
    ) {
        let bytes = fs::read(BUILT.folder.join(file)).unwrap();
        let kept = kept.unwrap_or_else(|part: f64| (part * bytes.len() as f64) as usize);
        let folder = with("cut", file, &bytes[..kept]);
        let opened = catch_unwind(|| open(&folder).map(drop));
        let opened = opened.map_err(|_| TestCaseError::fail("opening panicked"))?;
        let error = opened.expect_err("a part of it is missing");
        prop_assert_eq!(error.file(), file);
    }

    #[test]
    fn a_flipped_byte_of_the_directory_never_panics(
        file in prop::sample::select(&FILES[..]),
        at in 0..512_usize,
        bits in 1..=u8::MAX,
    ) {
        let mut bytes = fs::read(BUILT.folder.join(file)).unwrap();
        bytes[at] ^= bits;
        reads_or_is_refused(&with("flipped-directory", file, &bytes), file)?;
    }

    #[test]
    fn flipped_bytes_anywhere_never_panic(
        file in prop::sample::select(&FILES[..]),
        flips in prop::collection::vec((0.0..1.0, 1..=u8::MAX), 1..20),
    ) {
        let mut bytes = fs::read(BUILT.folder.join(file)).unwrap();
        for (part, bits) in flips {
            let at = (part * bytes.len() as f64) as usize;
            bytes[at] ^= bits;
        }
        reads_or_is_refused(&with("flipped", file, &bytes), file)?;
    }
}
