//! The paths and names that documents point to, each of which must be there.

use std::path::{Path, PathBuf};

use harness::root;

const CONTRIBUTING: &str = include_str!("../../../../CONTRIBUTING.md");
const README: &str = include_str!("../../../../README.md");
const ARCHITECTURE: &str = include_str!("../../../../docs/explanation/architecture.md");

/// What a path ends with when it names a file without its folder.
const FILES: [&str; 6] = [".rs", ".md", ".toml", ".yaml", ".js", ".json"];

/// Folders that the project's own commands make.
const MADE: [&str; 2] = [".local", "target"];

/// A path in a document, and the names that should stand in its file: `path`: `Name`, `Other::name`.
struct Reference<'a> {
    written: &'a str,
    path: PathBuf,
    names: Vec<&'a str>,
}

impl Reference<'_> {
    /// Returns what is not there.
    fn missing(&self) -> Vec<String> {
        if !self.path.exists() {
            return vec![self.written.to_owned()];
        }
        let source = std::fs::read_to_string(&self.path).unwrap_or_default();
        let is_rust = self.path.extension().is_some_and(|extension| extension == "rs");
        let is_there = |part: &str| if is_rust { is_defined(&source, part) } else { source.contains(part) };
        let absent = self.names.iter().filter(|name| !name.split("::").all(is_there));
        absent.map(|name| format!("{}: {name}", self.written)).collect()
    }
}

/// Tells whether a line of Rust defines a name (an item, a field or a variant), or has it for a text.
fn is_defined(source: &str, name: &str) -> bool {
    if source.contains(&format!("\"{name}\"")) || (name.contains(' ') && source.contains(name)) {
        return true;
    }
    let is_of_a_name = |character: char| character.is_alphanumeric() || character == '_';
    source.lines().any(|line| {
        let mut rest = line.trim_start();
        for word in [
            "pub(super) ",
            "pub(crate) ",
            "pub ",
            "async ",
            "const ",
            "fn ",
            "mod ",
            "type ",
            "struct ",
            "enum ",
            "static ",
        ] {
            rest = rest.strip_prefix(word).unwrap_or(rest);
        }
        rest.strip_prefix(name)
            .is_some_and(|after| !after.starts_with(is_of_a_name) && !after.starts_with('.'))
    })
}

/// Returns the references of a document, which are code between backticks.
fn references(document: &str) -> Vec<Reference<'_>> {
    let prose = document.split("\n```").step_by(2);
    prose.flat_map(|prose| prose.split("\n\n")).flat_map(of_block).collect()
}

/// Returns the references of a paragraph, a list or a table.
fn of_block(block: &str) -> Vec<Reference<'_>> {
    let parts: Vec<&str> = block.split('`').collect();
    let mut found: Vec<Reference<'_>> = Vec::new();
    let mut names_follow = false;
    for (text, following) in parts.iter().skip(1).zip(parts.iter().skip(2)).step_by(2) {
        if !is_path(text) {
            if let Some(last) = found.last_mut().filter(|_| names_follow) {
                last.names.push(text);
                names_follow = !following.contains(['.', ';', ':', '(', ')', '|']);
            }
            continue;
        }
        names_follow = following.trim() == ":";
        let path = resolved(text, found.last().map(|last| last.path.as_path()));
        found.push(Reference { written: text, path, names: Vec::new() });
    }
    found.retain(|reference| !MADE.iter().any(|made| reference.written.starts_with(made)));
    found
}

/// Tells a path from other code: a file's name, or names with a slash between them.
fn is_path(text: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|one| one.is_ascii_alphanumeric() || "._-".contains(one))
    };
    let is_file = text.contains('/') || FILES.iter().any(|ending| text.ends_with(ending));
    is_file && text.split('/').all(is_name) && !text.starts_with("application/")
}

/// Returns where a path leads; a file's name alone to the root, or else to the folder that was named last.
fn resolved(text: &str, last: Option<&Path>) -> PathBuf {
    let at_root = root().join(text);
    match last.and_then(|last| if last.is_dir() { Some(last) } else { last.parent() }) {
        Some(folder) if !text.contains('/') && !at_root.exists() => folder.join(text),
        _ => at_root,
    }
}

fn missing(document: &str) -> Vec<String> {
    references(document).iter().flat_map(Reference::missing).collect()
}

#[test]
fn every_path_and_name_in_the_lists_of_changes_is_there() {
    let names: usize = references(CONTRIBUTING).iter().map(|reference| reference.names.len()).sum();
    assert!(names > 100, "{names} names are looked for");
    assert_eq!(missing(CONTRIBUTING), [""; 0]);
}

#[test]
fn every_path_in_the_readme_and_in_the_architecture_is_there() {
    assert!(references(ARCHITECTURE).len() > 25);
    for document in [README, ARCHITECTURE] {
        assert_eq!(missing(document), [""; 0]);
    }
}

#[test]
fn what_is_not_there_is_found_out() {
    let document = "See `shared/gateway/src/code.rs`: `Code`, `Code::lost`, and `error.rs`, `gone.rs`.\n\n\
        - `docs/nowhere.md` and `shared/gateway/src/lib.rs`:\n  `admission` and `nobody`: this. `Nothing` is a word.\n\
        - `POST /v2/markets`, `application/json`, `.local/data`, `make test`.\n\n\
        ```sh\ncat `lost/in/commands.rs`\n```\n";
    let expected = [
        "shared/gateway/src/code.rs: Code::lost",
        "gone.rs",
        "docs/nowhere.md",
        "shared/gateway/src/lib.rs: nobody",
    ];
    assert_eq!(missing(document), expected);
}
