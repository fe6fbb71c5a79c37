//! Tests releases with altered files.

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
        fs::hard_link(BUILT.folder.join(other), folder.join(other)).expect("can link the file");
    }
    // Remove the file first. It's a hard link, so writing to it would change the original release.
    fs::remove_file(folder.join(file)).expect("can remove the link");
    fs::write(folder.join(file), bytes).expect("can write the file");
    folder
}

#[test]
fn file_with_the_wrong_size_returns_an_error_with_its_name() {
    for file in FILES {
        let bytes = fs::read(BUILT.folder.join(file)).unwrap();
        let folder = with("wrong-size", file, &bytes);
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
fn swapped_files_return_an_error_with_the_file_name() {
    for (file, other) in [(FILES[0], FILES[1]), (FILES[1], FILES[0])] {
        let bytes = fs::read(BUILT.folder.join(other)).unwrap();
        let error = open(&with("swapped", file, &bytes)).unwrap_err();
        assert_eq!(error.file(), file);
        assert!(error.to_string().contains("has no \""), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn truncated_file_returns_an_error_with_its_name(
        file in prop::sample::select(&FILES[..]),
        kept in prop_oneof![(0..2_000_usize).prop_map(Ok), (0.0..1.0).prop_map(Err)],
    ) {
        let bytes = fs::read(BUILT.folder.join(file)).unwrap();
        let kept = kept.unwrap_or_else(|part: f64| (part * bytes.len() as f64) as usize);
        let folder = with("truncated", file, &bytes[..kept]);
        let opened = catch_unwind(|| open(&folder).map(drop));
        let opened = opened.map_err(|_| TestCaseError::fail("opening panicked"))?;
        let error = opened.expect_err("the file is truncated");
        prop_assert_eq!(error.file(), file);
    }

    #[test]
    fn flipped_byte_in_the_section_directory_never_panics(
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
