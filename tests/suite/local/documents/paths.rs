//! Checks that the paths and names in the documents exist in the repository.

use std::path::{Path, PathBuf};

use harness::root;

const CONTRIBUTING: &str = include_str!("../../../../CONTRIBUTING.md");
const README: &str = include_str!("../../../../README.md");
const ARCHITECTURE: &str = include_str!("../../../../docs/explanation/architecture.md");

/// Extensions that identify inline code as a path even if it doesn't contain a slash.
const FILES: [&str; 6] = [".rs", ".md", ".toml", ".yaml", ".js", ".json"];

/// Folders that the project's commands create. They may be missing.
const MADE: [&str; 2] = [".local", "target"];

/// A path in a document, and the names that the file must contain. Documents write it as `path`: `Name`,
/// `Other::name`.
struct Reference<'a> {
    written: &'a str,
    path: PathBuf,
    names: Vec<&'a str>,
}

impl Reference<'_> {
    /// Returns the path if the file is missing, or else the names that the file doesn't contain.
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

/// Returns whether Rust code defines a name as an item, field, or variant, or contains it in a string.
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

/// Returns a document's references to paths, which are written in backticks.
fn references(document: &str) -> Vec<Reference<'_>> {
    let prose = document.split("\n```").step_by(2);
    prose.flat_map(|prose| prose.split("\n\n")).flat_map(of_block).collect()
}

/// Returns the references in a paragraph, a list, or a table.
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

/// Returns whether inline code is a path: a file name or several names joined by slashes.
fn is_path(text: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|one| one.is_ascii_alphanumeric() || "._-".contains(one))
    };
    let is_file = text.contains('/') || FILES.iter().any(|ending| text.ends_with(ending));
    is_file && text.split('/').all(is_name) && !text.starts_with("application/")
}

/// Resolves a path relative to the repository root. A bare file name that isn't in the root is resolved
/// relative to the folder of the previous path.
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
fn paths_and_names_in_contributing_exist() {
    let names: usize = references(CONTRIBUTING).iter().map(|reference| reference.names.len()).sum();
    assert!(names > 100, "CONTRIBUTING.md mentions only {names} names");
    assert_eq!(missing(CONTRIBUTING), [""; 0]);
}

#[test]
fn paths_in_readme_and_architecture_exist() {
    assert!(references(ARCHITECTURE).len() > 25);
    for document in [README, ARCHITECTURE] {
        assert_eq!(missing(document), [""; 0]);
    }
}

#[test]
fn missing_paths_and_names_are_reported() {
    let document = "See `shared/gateway/src/code.rs`: `Code`, `Code::lost`, and `error.rs`, `gone.rs`.\n\n\
        - `docs/nowhere.md` and `shared/gateway/src/lib.rs`:\n  `admission` and `absent`: this. `Nothing` is a word.\n\
        - `POST /v2/markets`, `application/json`, `.local/data`, `make test`.\n\n\
        ```sh\ncat `lost/in/commands.rs`\n```\n";
    let expected = [
        "shared/gateway/src/code.rs: Code::lost",
        "gone.rs",
        "docs/nowhere.md",
        "shared/gateway/src/lib.rs: absent",
    ];
    assert_eq!(missing(document), expected);
}
