//! Makes a release of an older one, of which some parts differ.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dataset::inventory::Inventory;
use dataset::{
    Figures, FileEntry, Folder, Manifest, Part, Places, Population, Provenance, RowCounts, Source, WriteError,
};

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
    for (part, rows) in written {
        let entry =
            FileEntry::of(folder, part, rows).map_err(|source| WriteError::new(part.file(), source))?;
        files.insert(part, entry);
    }
    // It is written anew: the base has a file of its own.
    files.remove(&Part::KnownIds);
    for part in files.keys() {
        let to = folder.join(part.file());
        if !to.exists() {
            share(&base.file(*part), &to)?;
        }
    }
    files.insert(Part::KnownIds, known_ids(folder)?);
    let mut figures = old.provenance.clone();
    figures.extend([provenance]);
    let mut sources = old.sources.clone();
    sources.retain(|other| *other != source);
    sources.push(source);
    Ok(Manifest::new(old.label(), files, figures, sources))
}

/// Writes the ids that the other parts of a folder have.
fn known_ids(folder: &Path) -> Result<FileEntry, PackError> {
    let inventory = Inventory::open_file(&folder.join(Part::Inventory.file()))?;
    let places = Places::open_file(&folder.join(Part::Places.file()))?;
    let population = Population::open_file(&folder.join(Part::Population.file()))?;
    let rows = dataset::known_ids::write(folder, &inventory, &places, &population)?;
    let part = Part::KnownIds;
    Ok(FileEntry::of(folder, part, rows).map_err(|source| WriteError::new(part.file(), source))?)
}

/// Puts a file into another release too: files of a release never change, so two may share one.
fn share(from: &Path, to: &Path) -> Result<(), PackError> {
    let copied = fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop));
    copied.map_err(|source| PackError::NotCopied { file: from.to_owned(), source })
}
