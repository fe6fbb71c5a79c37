//! Checks that every link in the documents leads to an existing file and heading.

use std::collections::BTreeSet;
use std::path::Path;

use super::documents;

/// Returns a document's lines outside code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_block = false;
    text.lines().filter(move |line| {
        in_block ^= line.starts_with("```");
        !in_block
    })
}

/// Returns the anchors that GitHub generates for a document's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let words = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-"));
    words
        .map(|words| words.chars().filter(|one| one.is_alphanumeric() || "-_".contains(*one)).collect())
        .collect()
}

/// Returns a document's links to files in the project and to its own headings.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text).collect::<Vec<_>>().join("\n");
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets.filter(|target| !target.contains("://") && !target.contains(' ')).map(str::to_owned).collect()
}

/// Returns a description of a broken link, or `None` if the link works.
fn fault(document: &Path, text: &str, link: &str) -> Option<String> {
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let target = if path.is_empty() { document.to_owned() } else { document.parent()?.join(path) };
    if !target.exists() {
        return Some(format!("{}: {link}", document.display()));
    }
    let anchor = anchor.filter(|_| target.extension().is_some_and(|extension| extension == "md"))?;
    let target = if path.is_empty() { text.to_owned() } else { std::fs::read_to_string(target).ok()? };
    (!anchors(&target).contains(anchor)).then(|| format!("{}: {link}", document.display()))
}

#[test]
fn links_in_documents_resolve() {
    let mut count = 0;
    let mut faults = Vec::new();
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a document");
        let links = links(&text);
        count += links.len();
        faults.extend(links.iter().filter_map(|link| fault(&document, &text, link)));
    }
    assert!(count > 100, "{count} links");
    assert_eq!(faults, [""; 0]);
}
