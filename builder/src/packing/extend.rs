//! Makes a release of an older one, of which some parts differ.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dataset::{Figures, FileEntry, Folder, Manifest, Part, Provenance, RowCounts, Source, WriteError};

use super::derived::{DERIVED_PARTS, write_derived};
use super::error::PackError;

/// Makes a release of the parts that were written into a folder, each with how many rows of each kind it has,
/// and of the other parts of an older one.
pub(crate) fn extended(
    base: &Folder,
    folder: &Path,
    written: BTreeMap<Part, RowCounts>,
    provenance: (Figures, Provenance),
    source: Source,
) -> Result<Manifest, PackError> {
    let old = base.manifest();
    let mut files = old.files.clone();
    files.extend(entries(folder, written)?);
    for part in files.keys().filter(|part| !DERIVED_PARTS.contains(part)) {
        let to = folder.join(part.file());
        if !to.exists() {
            share(&base.file(*part), &to)?;
        }
    }
    files.extend(entries(folder, write_derived(folder)?)?);
    let mut figures = old.provenance.clone();
    figures.extend([provenance]);
    let mut sources = old.sources.clone();
    sources.retain(|other| *other != source);
    sources.push(source);
    Ok(Manifest::new(old.label(), files, figures, sources))
}

/// Describes the files of parts that were written.
pub(crate) fn entries(
    folder: &Path,
    written: BTreeMap<Part, RowCounts>,
) -> Result<BTreeMap<Part, FileEntry>, WriteError> {
    let entry = |(part, rows): (Part, RowCounts)| match FileEntry::of(folder, part, rows) {
        Ok(entry) => Ok((part, entry)),
        Err(source) => Err(WriteError::new(part.file(), source)),
    };
    written.into_iter().map(entry).collect()
}

/// Puts a file into another release too: files of a release never change, so two may share one.
fn share(from: &Path, to: &Path) -> Result<(), PackError> {
    let copied = fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop));
    copied.map_err(|source| PackError::NotCopied { file: from.to_owned(), source })
}
