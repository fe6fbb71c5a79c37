//! `marquee release inspect`.

use std::collections::BTreeMap;

use dataset::inventory::Inventory;
use dataset::{Folder, Manifest, Part, Places, RecordSource, ReleaseError};
use release_store::ReleaseLocation;

use super::location::ReleaseArg;
use crate::failure::Failure;
use crate::output::{OutputError, print_line};
use crate::release::FolderError;

/// Prints the contents of a release in a folder or bucket.
pub(super) async fn run(release: ReleaseArg) -> Result<(), Failure> {
    let opened = release.open(&[Part::Inventory, Part::Places]).await?;
    print_at(&opened.folder, &release.release)
}

fn print_at(folder: &Folder, location: &ReleaseLocation) -> Result<(), Failure> {
    let manifest = folder.manifest();
    print_line(format_args!("{} ({location})", manifest.name))?;
    print_manifest(manifest)?;
    let (displays, places) = counted(folder).map_err(FolderError::unusable(folder.path()))?;
    print_line("\nrecords")?;
    for (kind, sources) in [("displays", displays), ("places", places)] {
        for (source, records) in sources {
            let RecordSource { name, vintage } = &source;
            let known = manifest.source_of(&source).and_then(|source| source.ids.as_deref());
            let ids = known.map(|ids| format!(" ({ids})")).unwrap_or_default();
            print_line(format_args!("  {records:>12} {kind} from {name}{ids}; {vintage}"))?;
        }
    }
    let attributions = manifest.sources.iter().map(|source| source.attribution.as_str());
    for attribution in attributions.filter(|text| !text.is_empty()) {
        print_line(format_args!("\nrequired attribution: {attribution}"))?;
    }
    Ok(())
}

/// Prints a manifest's files, figures, and sources.
fn print_manifest(manifest: &Manifest) -> Result<(), OutputError> {
    print_line(format_args!("format {}, maturity {}", manifest.format, manifest.maturity))?;
    print_line("\nfiles")?;
    for (part, file) in &manifest.files {
        print_line(format_args!("  {:23} {:>12} bytes  sha256 {}", part.file(), file.bytes, file.sha256))?;
        for (kind, rows) in &file.rows {
            print_line(format_args!("  {:23} {rows:>12} {kind}", ""))?;
        }
    }
    print_line("\nfigures")?;
    for (figures, about) in &manifest.provenance {
        print_line(format_args!(
            "  {} ({}, {}): {}",
            figures.name(),
            about.data_vintage,
            about.data_maturity,
            about.source
        ))?;
        for gap in &about.known_gaps {
            print_line(format_args!("    known gap: {gap}"))?;
        }
    }
    print_line("\nsources")?;
    for source in &manifest.sources {
        print_line(format_args!("  {source}; {}; {}", source.vintage, source.licence))?;
    }
    Ok(())
}

/// The number of records from each source.
type Counts = BTreeMap<RecordSource, u64>;

/// Counts the displays and places from each source.
fn counted(folder: &Folder) -> Result<(Counts, Counts), ReleaseError> {
    let (inventory, places) = (Inventory::open(folder)?, Places::open(folder)?);
    let count = |sources: &mut dyn Iterator<Item = RecordSource>| {
        let mut counts = Counts::new();
        sources.for_each(|source| *counts.entry(source).or_default() += 1);
        counts
    };
    let displays = count(&mut inventory.indexes().map(|index| inventory.source(index)));
    Ok((displays, count(&mut places.indexes().map(|index| places.source(index)))))
}
