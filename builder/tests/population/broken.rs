//! Altered files of a release.

use std::fs;
use std::panic::catch_unwind;
use std::path::PathBuf;

use proptest::prelude::*;

use crate::built::{BUILT, empty_folder, open};

const FILES: [&str; 2] = ["geographies.bin", "population.bin"];

/// Copies the release and replaces one file.
fn with(name: &str, file: &str, bytes: &[u8]) -> PathBuf {
    let folder = empty_folder(name);
    for other in FILES {
        fs::hard_link(BUILT.folder.join(other), folder.join(other)).expect("a folder");
    }
    // The file is a link to the release's own file. It must be removed before writing.
    fs::remove_file(folder.join(file)).expect("a folder");
    fs::write(folder.join(file), bytes).expect("a folder");
    folder
}

#[test]
fn file_that_differs_from_the_manifest_is_refused_with_its_name() {
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
fn swapped_files_are_refused_with_their_names() {
    for (file, other) in [(FILES[0], FILES[1]), (FILES[1], FILES[0])] {
        let bytes = fs::read(BUILT.folder.join(other)).unwrap();
        let error = open(&with("swapped", file, &bytes)).unwrap_err();
        assert_eq!(error.file(), file);
        assert!(error.to_string().contains("has no section"), "{error}");
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
    fn a_file_with_a_flipped_byte_of_its_directory_is_opened_or_refused_by_its_name(
        file in prop::sample::select(&FILES[..]),
        at in 0..512_usize,
        bits in 1..=u8::MAX,
    ) {
        let mut bytes = fs::read(BUILT.folder.join(file)).unwrap();
        bytes[at] ^= bits;
        let folder = with("flipped-directory", file, &bytes);
        let opened = catch_unwind(|| open(&folder).map(drop));
        let opened = opened.map_err(|_| TestCaseError::fail("opening panicked"))?;
        prop_assert!(opened.is_ok() || opened.is_err_and(|error| error.file() == file));
    }
}
