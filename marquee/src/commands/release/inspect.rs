//! `marquee release inspect`.

use dataset::Folder;

use crate::output::{OutputError, print_line};

/// Prints the manifest of a release: its files, figures, sources, and required attributions.
pub(super) fn print(folder: &Folder) -> Result<(), OutputError> {
    let manifest = folder.manifest();
    print_line(format_args!("{} ({})", manifest.name, folder.path().display()))?;
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
        print_line(format_args!("  {}; {}; {}", source.name, source.vintage, source.licence))?;
    }
    let attributions = manifest.sources.iter().map(|source| source.attribution.as_str());
    for attribution in attributions.filter(|text| !text.is_empty()) {
        print_line(format_args!("\nrequired attribution: {attribution}"))?;
    }
    Ok(())
}
