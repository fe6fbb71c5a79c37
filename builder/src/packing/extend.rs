//! Creates a release from an older one by replacing some of its parts.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use dataset::{Figures, FileEntry, Folder, Manifest, Part, Provenance, RowCounts, Source, WriteError};

use rayon::prelude::*;

use super::derived::{DERIVED_PARTS, write_derived};
use super::error::PackError;

/// Completes the release in `folder`, which contains the new parts, by adding the remaining parts of `base`.
/// Returns the release's manifest. `written` contains the row counts for each new part.
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
            let from = base.file(*part);
            share(&from, &to).map_err(|source| PackError::NotCopied { file: from, source })?;
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

/// Creates the manifest entries for new parts.
pub(crate) fn entries(
    folder: &Path,
    written: BTreeMap<Part, RowCounts>,
) -> Result<BTreeMap<Part, FileEntry>, WriteError> {
    let entry = |(part, rows): (Part, RowCounts)| match FileEntry::of(folder, part, rows) {
        Ok(entry) => Ok((part, entry)),
        Err(source) => Err(WriteError::new(part.file(), source)),
    };
    written.into_par_iter().map(entry).collect()
}

/// Adds a release's file to a different release, as a hard link if possible, and otherwise as a copy. Files
/// in releases never change, so releases can share them.
pub(crate) fn share(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
}
