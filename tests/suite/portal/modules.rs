//! The modules: what one imports is there, and what one page needs another does not load.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{get, web};

/// Returns our own modules, by their paths below the folder of the pages.
fn modules() -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![web()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && path != web().join("vendor") {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "js") {
                let name = path.strip_prefix(web()).expect("it is below").to_owned();
                found.insert(name, std::fs::read_to_string(&path).expect("text"));
            }
        }
    }
    found
}

/// Returns what a module imports, at once or later: comments, which import types, left out.
fn imports(source: &str) -> Vec<&str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    code.flat_map(|line| ["from '", "import('", "import '"].map(|start| line.split_once(start)))
        .flatten()
        .filter_map(|(_, after)| after.split_once('\'').map(|(name, _)| name))
        // Types within an expression, which no browser reads.
        .filter(|name| !["geojson", "topojson-specification"].contains(name) && !name.ends_with("/types"))
        .collect()
}

fn resolved(module: &Path, import: &str) -> PathBuf {
    let mut path = module.parent().expect("a folder").to_owned();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => assert!(path.pop(), "{import} in {module:?} leaves the folder"),
            part => path.push(part),
        }
    }
    path
}

#[tokio::test]
async fn import_what_is_there() {
    let shell = get("/portal/").await.text();
    let modules = modules();
    assert!(modules.len() > 20, "{modules:?}");
    for (module, source) in &modules {
        for import in imports(source) {
            if import.starts_with('.') {
                let target = resolved(module, import);
                assert!(modules.contains_key(&target), "{module:?} imports {import}");
            } else {
                assert!(shell.contains(&format!("\"{import}\": ")), "{module:?} imports {import}");
            }
        }
    }
}

#[tokio::test]
async fn the_import_map_names_files_that_are_vendored_and_used() {
    let shell = get("/portal/").await.text();
    let sources: Vec<_> = modules().into_values().collect();
    let used: BTreeSet<_> = sources.iter().flat_map(|source| imports(source)).collect();
    // Those that others of the packages import.
    let within = ["htm", "@preact/signals-core", "jwt-decode"];
    let map = shell.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\": \""));
    let entries: Vec<_> = map.filter(|(_, path)| path.contains("/vendor/")).collect();
    assert!(entries.len() > 8, "{entries:?}");
    for (name, path) in entries {
        let path = path.trim_end_matches([',', '"']);
        let (_, file) = path.split_once("/vendor/").expect("vendored");
        assert!(web().join("vendor").join(format!("{file}.gz")).is_file(), "{name}: {file}");
        assert!(used.contains(name) || within.contains(&name), "nothing imports {name}");
    }
}

/// The map's library and the atlas are most of what a page can weigh.
#[test]
fn the_frame_loads_no_map_and_no_page() {
    let modules = modules();
    let mut open = vec![PathBuf::from("main.js")];
    let mut loaded = BTreeSet::new();
    while let Some(module) = open.pop() {
        if !loaded.insert(module.clone()) {
            continue;
        }
        let at_once = modules[&module].lines().filter(|line| !line.contains("import('"));
        let source: String = at_once.map(|line| format!("{line}\n")).collect();
        for import in imports(&source) {
            assert_ne!(import, "maplibre-gl", "{module:?}");
            if import.starts_with('.') {
                open.push(resolved(&module, import));
            }
        }
    }
    let heavy: Vec<_> =
        loaded.iter().filter(|module| module.starts_with("map") || module.starts_with("pages")).collect();
    assert!(heavy.is_empty(), "{heavy:?}");
}
