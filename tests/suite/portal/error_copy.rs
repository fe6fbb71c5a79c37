//! The portal has a message for every error code of the API.

use std::collections::BTreeSet;

use gateway::Code;
use strum::IntoEnumIterator;

use super::web;

#[test]
fn portal_has_copy_for_every_error_code() {
    let source = std::fs::read_to_string(web().join("api/error-copy.js")).expect("the module");
    let (_, after) = source.split_once("ERROR_COPY = {").expect("the table");
    let (table, _) = after.split_once("\n};").expect("the end of the table");
    let codes: BTreeSet<_> = table.lines().filter_map(code).collect();
    assert_eq!(codes, Code::iter().map(|code| code.as_str()).collect());
}

/// Returns the error code in a line of the table, or `None` for other lines.
fn code(line: &str) -> Option<&str> {
    let (code, _) = line.strip_prefix("  ")?.split_once(": ")?;
    code.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_').then_some(code)
}
