//! What a row on its way back has more than its file; imports pass over it.

use serde_json::Value;

/// Where the row stood, and why it was not accepted.
pub(super) const MARKS: [&str; 2] = ["_line", "_reason"];

/// Tells whether a column or a member is a mark.
pub(super) fn is_mark(name: &str) -> bool {
    MARKS.contains(&name)
}

/// Takes the marks off an object.
pub(crate) fn without_marks(value: &mut Value) {
    if let Value::Object(members) = value {
        members.retain(|name, _| !is_mark(name));
    }
}
