//! Cached releases for tests and benchmarks. A release is rebuilt when the builder's code or the source data
//! changes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use builder::LATEST;
use builder::build::{Build, CODE, Rejects, SourceList, build};
use dataset::Folder;
use marquee::serve::Releases;

use crate::root;

/// Returns the sample release. Rebuilds it if the builder or the source data has changed.
pub fn sample_release() -> &'static Folder {
    static SAMPLE: OnceLock<Folder> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let kept = Kept::lock("sample-release");
        kept.release().unwrap_or_else(|| {
            let built = build_release(&root().join("data/release.toml"), &kept.folder);
            kept.keep();
            built
        })
    })
}

/// Builds a release from a list of sources into a folder of releases. Panics if a row is rejected.
pub fn build_release(list: &Path, releases: &Path) -> Folder {
    let data = root().join("data");
    let list = SourceList::read(list, &data).expect("a valid list");
    let release = Build {
        list: &list,
        data: &data,
        releases,
        cache: &build_cache(),
        against: None,
        accepted: &[],
        today: "2026-11-24",
        progress: &|_, _, _| {},
    };
    let built = build(release, &mut Rejects::default()).expect("valid sources");
    assert!(built.report.sources.iter().all(|source| source.rejected() == 0), "{:?}", built.report);
    built.folder
}

/// Returns the sample release with a synthesized inventory of `spots` spots, which is cached like the sample
/// release.
pub fn synthesized_release(spots: usize) -> Folder {
    let kept = Kept::lock(&format!("synthesized-{spots}"));
    kept.release().unwrap_or_else(|| {
        let made = builder::synthesize(sample_release(), spots, 1, &kept.folder, &|_, _, _| {});
        let made = made.expect("a valid number of spots");
        kept.keep();
        made
    })
}

/// A cached release next to the built programs, locked against other processes.
struct Kept {
    folder: PathBuf,
    /// The file with the stamp of the code and data that the release was built from.
    stamp: PathBuf,
    _lock: File,
}

impl Kept {
    fn lock(name: &str) -> Self {
        fs::create_dir_all(target()).expect("a folder for cached releases");
        let [lock, stamp] = ["lock", "stamp"].map(|kind| target().join(format!("{name}.{kind}")));
        let lock = File::create(lock).expect("a file to lock");
        lock.lock().expect("a lock");
        Self { folder: target().join(name), stamp, _lock: lock }
    }

    /// Returns the release if it exists and is up to date.
    fn release(&self) -> Option<Folder> {
        let is_of_the_same = fs::read_to_string(&self.stamp).is_ok_and(|known| known == stamp());
        let latest = self.folder.join(LATEST).canonicalize().ok();
        let release = latest.and_then(|latest| Folder::open(&latest).ok()).filter(|_| is_of_the_same);
        if release.is_none() {
            let _ = fs::remove_file(&self.stamp);
        }
        release
    }

    /// Marks the release as complete and up to date.
    fn keep(&self) {
        fs::write(&self.stamp, stamp()).expect("written");
    }
}

/// Returns the sample release, opened once per process.
pub fn sample() -> &'static Releases {
    static SAMPLE: OnceLock<Releases> = OnceLock::new();
    SAMPLE.get_or_init(|| Releases::open(sample_release()).expect("the sample release is valid"))
}

/// Returns the folder that contains the built programs and the cached releases.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("a program");
    let profile = program.ancestors().nth(2).expect("the programs' folder");
    profile.join("made-by-tests")
}

/// Returns the cache of builds in cargo's folder for test data, which the builder's own tests also use.
pub fn build_cache() -> PathBuf {
    target().ancestors().nth(2).expect("cargo's folder").join("tmp/cache")
}

/// Returns a string that changes when the builder's code or the source data changes.
fn stamp() -> String {
    let mut files = vec![root().join("data/release.toml")];
    for folder in ["basemap", "geographies", "segments", "places", "inventory", "ids"] {
        let entries = fs::read_dir(root().join("data").join(folder)).expect("source data");
        files.extend(entries.map(|entry| entry.expect("a file").path()));
    }
    files.sort();
    let line = |file: &PathBuf| {
        let metadata = fs::metadata(file).expect("a file");
        let changed = metadata.modified().expect("a time").duration_since(UNIX_EPOCH).expect("after 1970");
        format!("{} {} {}\n", file.display(), metadata.len(), changed.as_nanos())
    };
    files
        .iter()
        .map(line)
        .fold(format!("{CODE}\n{}\n", include_str!("release.rs")), |stamp, line| stamp + &line)
}
