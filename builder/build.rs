//! Computes a digest of all code that can change a release's contents. Cache keys depend on this digest, so
//! only programs with the same code share cached results.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The files that determine the digest: the source code of this crate and of the workspace crates that it
/// uses, the files that specify the versions and features of all other crates, and the file that specifies
/// the compiler version.
const SOURCES: [&str; 11] = [
    "src",
    "Cargo.toml",
    "../shared/dataset/src",
    "../shared/dataset/Cargo.toml",
    "../shared/json/src",
    "../shared/json/Cargo.toml",
    "../shared/provenance/src",
    "../shared/provenance/Cargo.toml",
    "../Cargo.lock",
    "../Cargo.toml",
    "../rust-toolchain.toml",
];

fn main() {
    let mut hasher = DefaultHasher::new();
    env::var("TARGET").expect("cargo sets the target").hash(&mut hasher);
    for path in SOURCES {
        println!("cargo::rerun-if-changed={path}");
        for file in files(Path::new(path)).expect("a readable folder") {
            file.hash(&mut hasher);
            fs::read(&file).expect("a readable file").hash(&mut hasher);
        }
    }
    println!("cargo::rustc-env=BUILDER_CODE={:016x}", hasher.finish());
}

/// Lists a file, or all files in a folder and its subfolders, sorted by path.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let listed = entries.iter().map(|entry| files(entry)).collect::<io::Result<Vec<_>>>()?;
    Ok(listed.concat())
}
