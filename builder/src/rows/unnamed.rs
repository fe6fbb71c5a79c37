//! Names columns whose header cell is empty.

/// Returns the name to use for an unnamed column. Columns are counted from 1.
pub(super) fn unnamed(column: usize) -> String {
    format!("{START}{column}{END}")
}

/// Returns whether a name was created by [`unnamed`].
pub(crate) fn is_unnamed(name: &str) -> bool {
    name.starts_with(START) && name.ends_with(END)
}

const START: &str = "column ";
const END: &str = " (no name)";
