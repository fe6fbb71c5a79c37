//! Keeps computed tables in the documentation up to date.

use std::fs;

use crate::root;

/// Asserts that the section with this heading contains the table. With `RECORD=1`, writes the table to the
/// document instead.
///
/// # Panics
///
/// Panics if the section contains a different table.
pub fn assert_table(document: &str, heading: &str, table: &str) {
    let path = root().join(document);
    let text = fs::read_to_string(&path).expect("the document");
    let (before, section) = text.split_once(heading).expect("the section");
    let columns = table.lines().next().expect("the names of the columns");
    let start = section.find(columns).expect("the table");
    let end = start + section[start..].find("\n\n").expect("text after the table") + 1;
    if std::env::var_os("RECORD").is_some() {
        let text = [before, heading, &section[..start], table, &section[end..]].concat();
        fs::write(path, text).expect("the document can be written");
    } else {
        assert_eq!(&section[start..end], table, "RECORD=1 updates the table");
    }
}

pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).expect("digits"));
    groups.collect::<Vec<_>>().join(",")
}
