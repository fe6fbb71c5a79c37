//! `marquee release inspect`.

use dataset::Folder;

/// Prints what a release says of itself in its manifest.
pub(super) fn print(folder: &Folder) {
    let manifest = folder.manifest();
    println!("{} ({})", manifest.name, folder.path().display());
    println!("format {}, maturity {}", manifest.format, manifest.maturity);
    println!("\nfiles");
    for (part, file) in &manifest.files {
        println!("  {:16} {:>12} bytes  sha256 {}", part.file(), file.bytes, file.sha256);
        for (kind, rows) in &file.rows {
            println!("  {:16} {rows:>12} {kind}", "");
        }
    }
    println!("\nfigures");
    for (figures, about) in &manifest.provenance {
        println!("  {} ({}, {}): {}", figures.name(), about.data_vintage, about.data_maturity, about.source);
        for gap in &about.known_gaps {
            println!("    known to be missing: {gap}");
        }
    }
    println!("\nsources");
    for source in &manifest.sources {
        println!("  {}; {}; {}", source.name, source.vintage, source.licence);
    }
    let attributions = manifest.sources.iter().map(|source| source.attribution.as_str());
    for attribution in attributions.filter(|text| !text.is_empty()) {
        println!("\nto be shown with it: {attribution}");
    }
}
