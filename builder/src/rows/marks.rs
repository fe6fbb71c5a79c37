//! The marks that are added to rejected rows. Imports ignore them.

use serde_json::Value;

/// The names of the two marks. They contain the line number of the row and the reason for its rejection.
pub(super) const MARKS: [&str; 2] = ["_line", "_reason"];

/// Returns whether the name of a column or member is the name of a mark.
pub(crate) fn is_mark(name: &str) -> bool {
    MARKS.contains(&name)
}

/// Removes the marks from an object. Other values stay unchanged.
pub(crate) fn without_marks(value: &mut Value) {
    if let Value::Object(members) = value {
        members.retain(|name, _| !is_mark(name));
    }
}
