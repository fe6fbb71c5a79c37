//! The project's Rust sources, for tests that inspect the code.

use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the path and the content of every Rust file below the given folders.
pub fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let mut folders: Vec<_> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = std::fs::read_to_string(&path).expect("a source");
                sources.push((path, source));
            }
        }
    }
    assert!(!sources.is_empty(), "the folders contain Rust files");
    sources
}
