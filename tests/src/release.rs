//! The releases that tests and benchmarks read, built once and reused until the program or its data changes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use dataset::Folder;
use marquee::serve::Releases;

use crate::root;

/// Returns the sample release. It is built once for a program, and again when the program or the source data
/// changed.
pub fn sample_release() -> &'static Folder {
    static SAMPLE: OnceLock<Folder> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let build = |folder: &Path| builder::sample::build(&root().join("data"), folder, &|_, _, _| {});
        let kept = Kept::lock("sample-release");
        kept.release().unwrap_or_else(|| {
            let built = build(&kept.folder).expect("the source data are right");
            kept.keep();
            built
        })
    })
}

/// Returns the sample release with so many spots that are made up. It is made as seldom as the sample is.
pub fn synthesized_release(spots: usize) -> Folder {
    let kept = Kept::lock(&format!("synthesized-{spots}"));
    kept.release().unwrap_or_else(|| {
        let made = builder::synthesize(sample_release(), spots, 1, &kept.folder, &|_, _, _| {});
        let made = made.expect("a number of spots that can be made");
        kept.keep();
        made
    })
}

/// A release beside the built programs, which no other program makes meanwhile.
struct Kept {
    folder: PathBuf,
    /// Says of what the release was made.
    stamp: PathBuf,
    _lock: File,
}

impl Kept {
    fn lock(name: &str) -> Self {
        fs::create_dir_all(target()).expect("a folder for what tests make");
        let [lock, stamp] = ["lock", "stamp"].map(|kind| target().join(format!("{name}.{kind}")));
        let lock = File::create(lock).expect("a file to lock");
        lock.lock().expect("a lock");
        Self { folder: target().join(name), stamp, _lock: lock }
    }

    /// Returns the release when it is there and was made of the same.
    fn release(&self) -> Option<Folder> {
        let is_of_the_same = fs::read_to_string(&self.stamp).is_ok_and(|known| known == stamp());
        let release = Folder::open(&self.folder).ok().filter(|_| is_of_the_same);
        if release.is_none() {
            let _ = fs::remove_file(&self.stamp);
        }
        release
    }

    /// Says that the release is whole.
    fn keep(&self) {
        fs::write(&self.stamp, stamp()).expect("a file is written");
    }
}

/// Returns what the functions read of the sample release.
pub fn sample() -> &'static Releases {
    static SAMPLE: OnceLock<Releases> = OnceLock::new();
    SAMPLE.get_or_init(|| Releases::open(sample_release()).expect("the sample release is whole"))
}

/// Names a folder beside the built programs.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("a program");
    let profile = program.ancestors().nth(2).expect("the programs' folder");
    profile.join("made-by-tests")
}

/// Tells one state of the program and the source data from another.
fn stamp() -> String {
    let mut files = vec![std::env::current_exe().expect("a program")];
    for folder in ["geographies", "segments", "places", "inventory"] {
        let entries = fs::read_dir(root().join("data").join(folder)).expect("source data");
        files.extend(entries.map(|entry| entry.expect("a file").path()));
    }
    files.sort();
    let line = |file: &PathBuf| {
        let metadata = fs::metadata(file).expect("a file");
        let changed = metadata.modified().expect("a time").duration_since(UNIX_EPOCH).expect("after 1970");
        format!("{} {} {}\n", file.display(), metadata.len(), changed.as_nanos())
    };
    files.iter().map(line).collect()
}
