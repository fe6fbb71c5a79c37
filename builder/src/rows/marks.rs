//! The marks that are added to rejected rows. Imports ignore them.

use serde_json::Value;

/// The names of the marks, which contain the row's line number and the reason for its rejection.
pub(super) const MARKS: [&str; 2] = ["_line", "_reason"];

/// Returns whether a column or member with this name is a mark.
pub(crate) fn is_mark(name: &str) -> bool {
    MARKS.contains(&name)
}

/// Removes the marks from an object. Doesn't change other values.
pub(crate) fn without_marks(value: &mut Value) {
    if let Value::Object(members) = value {
        members.retain(|name, _| !is_mark(name));
    }
}
