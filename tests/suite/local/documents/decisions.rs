//! Checks the index of decisions and all links to decisions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use harness::{root, sources};

const INDEX: &str = include_str!("../../../../docs/decisions/README.md");

/// The folders to search for links, in addition to all Rust sources.
const FOLDERS: [&str; 7] =
    ["", ".ci", "data", "docs", "docs/decisions", "scripts/deploy", "tests/schemathesis"];

/// Returns the contents of all decisions, by file name.
fn decisions() -> BTreeMap<String, String> {
    let mut files = texts("docs/decisions");
    files.retain(|(path, _)| !path.ends_with("README.md"));
    files.into_iter().map(|(path, text)| (file_name(&path), text)).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Returns the paths and contents of the text files in a folder, or nothing if the folder is missing.
fn texts(folder: &str) -> Vec<(PathBuf, String)> {
    let entries = std::fs::read_dir(root().join(folder)).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file());
    paths.filter_map(|path| Some((path.clone(), std::fs::read_to_string(path).ok()?))).collect()
}

/// Returns the decision files that a document links to. `mark` is the text before each file name.
fn linked<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    let links =
        text.split(mark).skip(1).filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    links.map(|rest| rest.split_inclusive(".md").next().unwrap_or_default())
}

/// Returns the row that the index must contain for a decision.
fn row(file: &str, text: &str) -> String {
    let mut lines = text.lines();
    let heading = lines.next().and_then(|line| line.strip_prefix("# ")?.split_once(". "));
    let (number, title) = heading.expect("a heading with a number");
    let date = lines.nth(1).and_then(|line| line.strip_prefix("**Context** (")?.get(..10)).expect("a date");
    assert!(
        file.starts_with(&format!("{number:0>4}-")),
        "{file} must start with the number in its heading, {number}"
    );
    format!("| [{number}]({file}) | {title} | {date} |")
}

#[test]
fn index_lists_every_decision_with_its_title_and_date() {
    let decisions = decisions();
    for (file, text) in &decisions {
        let row = row(file, text);
        assert!(INDEX.contains(&row), "docs/decisions/README.md must have the row\n{row}");
    }
    assert_eq!(linked(INDEX, "](").count(), decisions.len());
}

#[test]
fn links_to_decisions_resolve() {
    let decisions = decisions();
    let rust = sources(&["builder", "functions", "marquee", "shared", "tests"]);
    let mut count = 0;
    for (path, text) in FOLDERS.into_iter().flat_map(texts).chain(rust) {
        let mark = if path.starts_with(root().join("docs/decisions")) { "](" } else { "decisions/" };
        for link in linked(&text, mark) {
            assert!(decisions.contains_key(link), "{path:?} links to the missing decision {link}");
            count += 1;
        }
    }
    assert!(count > 50, "{count} links");
}
