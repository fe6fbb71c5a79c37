//! Every entry in the import map is vendored and used. `make check-portal` checks that every import has an
//! entry.

use std::path::Path;

use super::{get, web};

/// Returns the concatenated source code of the portal's own modules in a folder and its subfolders.
fn sources(folder: &Path) -> String {
    let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let own = paths.filter(|path| *path != web().join("vendor"));
    own.map(|path| match path.extension().and_then(|extension| extension.to_str()) {
        None => sources(&path),
        Some("js") => std::fs::read_to_string(&path).expect("text"),
        Some(_) => String::new(),
    })
    .collect()
}

#[tokio::test]
async fn import_map_entries_are_vendored_and_used() {
    let shell = get("/portal/").await.text();
    let sources = sources(&web());
    // Modules that only other vendored packages import.
    let within = ["htm", "@preact/signals-core", "jwt-decode"];
    let map = shell.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\": \""));
    let entries: Vec<_> = map.filter(|(_, path)| path.contains("/vendor/")).collect();
    assert!(entries.len() > 8, "{entries:?}");
    for (name, path) in entries {
        let path = path.trim_end_matches([',', '"']);
        let (_, file) = path.split_once("/vendor/").expect("a vendored file");
        assert!(web().join("vendor").join(format!("{file}.gz")).is_file(), "{name}: {file}");
        let is_used = ["from", "import"].iter().any(|word| sources.contains(&format!("{word} '{name}'")))
            || sources.contains(&format!("import('{name}')"));
        assert!(is_used || within.contains(&name), "{name} must be imported");
    }
}
