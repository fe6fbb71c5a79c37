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
        made_once("sample-release", |folder| build(folder).expect("the source data are right"))
    })
}

/// Returns the sample release with so many spots that are made up. It is made as seldom as the sample is.
pub fn synthesized_release(spots: usize) -> Folder {
    let make = |folder: &Path| builder::synthesize(sample_release(), spots, 1, folder, &|_, _, _| {});
    made_once(&format!("synthesized-{spots}"), |folder| {
        make(folder).expect("a number of spots that can be made")
    })
}

/// Makes a release beside the built programs, unless it is there and was made of the same.
fn made_once(name: &str, make: impl FnOnce(&Path) -> Folder) -> Folder {
    let folder = target().join(name);
    fs::create_dir_all(target()).expect("a folder for what tests make");
    // Programs may run side by side.
    let lock = File::create(target().join(format!("{name}.lock"))).expect("a file to lock");
    lock.lock().expect("a lock");
    let (stamp, made_by) = (target().join(format!("{name}.stamp")), stamp());
    if fs::read_to_string(&stamp).is_ok_and(|known| known == made_by)
        && let Ok(known) = Folder::open(&folder)
    {
        return known;
    }
    let _ = fs::remove_file(&stamp);
    let made = make(&folder);
    fs::write(&stamp, made_by).expect("a file is written");
    made
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
