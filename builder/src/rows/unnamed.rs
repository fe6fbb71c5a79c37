//! Names for columns with an empty header cell.

/// Returns the name for an unnamed column, given its 1-based number.
pub(super) fn unnamed(column: usize) -> String {
    format!("{START}{column}{END}")
}

/// Returns whether a name was created by [`unnamed`].
pub(crate) fn is_unnamed(name: &str) -> bool {
    name.starts_with(START) && name.ends_with(END)
}

const START: &str = "column ";
const END: &str = " (no name)";
